// Each invocation adds up its column of a matrix, in place.
#version 450
layout(local_size_x = 32) in;
layout(std430, binding = 0) readonly buffer Matrix { uint rows[16][32]; };
layout(std430, binding = 1) buffer Total { uint total[32]; };

void main() {
  uint column = gl_LocalInvocationID.x;
  total[column] = 0;
  for (uint row = 0; row < 16; row++)
    total[column] += rows[row][column];
}
