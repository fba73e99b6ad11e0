// What:  bitonic sort in shared memory
// Idea:  barriers inside two nested uniform loops
// Watch: every lane must reach each barrier
#version 450
layout(local_size_x = 128) in;
layout(std430, binding = 0) buffer Data { uint data[]; };
shared uint tile[128];

void main() {
  uint i = gl_LocalInvocationIndex;
  tile[i] = data[gl_GlobalInvocationID.x];
  for (uint size = 2; size <= 128; size <<= 1)
    for (uint stride = size >> 1; stride > 0; stride >>= 1) {
      barrier();
      uint other = i ^ stride;
      if (other > i) {
        bool up = (i & size) == 0;
        uint a = tile[i], b = tile[other];
        if (up ? a > b : a < b) {
          tile[i] = b;
          tile[other] = a;
        }
      }
    }
  barrier();
  data[gl_GlobalInvocationID.x] = tile[i];
}
