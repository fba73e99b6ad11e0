// What:  integer square root by Newton steps
// Idea:  do-while: the test is in the continue block
// Watch: the loop block is its own continue target after optimisation
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Data { uint data[]; };

void main() {
  uint i = gl_GlobalInvocationID.x, n = data[i];
  if (n < 2)
    return;
  uint x = n, y;
  do {
    y = x;
    x = (y + n / y) / 2;
  } while (x < y);
  data[i] = y;
}
