// What:  Hillis-Steele scan that stops when a flag is set
// Idea:  a workgroup-uniform break around a barrier
// Watch: the break condition is read from shared memory between barriers
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Data { uint data[]; };
shared uint ping[2][64];
shared uint stop;

void main() {
  uint l = gl_LocalInvocationIndex, from = 0;
  ping[0][l] = data[gl_GlobalInvocationID.x];
  if (l == 0)
    stop = 0;
  for (uint d = 1; d < 64; d <<= 1) {
    barrier();
    if (stop != 0)
      break;
    uint value = ping[from][l];
    if (l >= d)
      value += ping[from][l - d];
    from ^= 1;
    ping[from][l] = value;
    barrier();
    if (value > 0x40000000u)
      stop = 1;
  }
  data[gl_GlobalInvocationID.x] = ping[from][l];
}
