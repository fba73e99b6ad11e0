// What:  steps of the Collatz sequence until it reaches 1
// Idea:  a while loop with an if/else inside
// Watch: trip counts differ much between neighbours
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Data { uint data[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint n = data[i], steps = 0;
  while (n > 1) {
    if ((n & 1u) == 0)
      n >>= 1;
    else
      n = 3 * n + 1;
    steps++;
  }
  data[i] = steps;
}
