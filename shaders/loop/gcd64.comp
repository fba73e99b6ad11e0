// What:  greatest common divisor of 64-bit integers
// Idea:  Stein's loop over uint64_t
// Watch: 64-bit constants and phis
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Data { uint64_t pairs[][2]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint64_t a = pairs[i][0], b = pairs[i][1];
  if (a == 0ul || b == 0ul) {
    pairs[i][0] = a | b;
    return;
  }
  uint shift = 0;
  while (((a | b) & 1ul) == 0ul) {
    a >>= 1;
    b >>= 1;
    shift++;
  }
  while ((a & 1ul) == 0ul)
    a >>= 1;
  do {
    while ((b & 1ul) == 0ul)
      b >>= 1;
    if (a > b) {
      uint64_t t = a;
      a = b;
      b = t;
    }
    b -= a;
  } while (b != 0ul);
  pairs[i][0] = a << shift;
}
