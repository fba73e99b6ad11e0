// What:  plain matrix product
// Idea:  two nested counted loops with hints
// Watch: [[dont_unroll]] and [[dependency_length]] hints must survive
#version 450
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, binding = 0) readonly buffer A { float a[]; };
layout(std430, binding = 1) readonly buffer B { float b[]; };
layout(std430, binding = 2) writeonly buffer C { float c[]; };
layout(push_constant) uniform Size { uint n; } size;

void main() {
  uint row = gl_GlobalInvocationID.y, col = gl_GlobalInvocationID.x, n = size.n;
  float sum = 0.0;
  [[dont_unroll]] for (uint block = 0; block < n; block += 4) {
    precise float part = 0.0;
    [[dependency_infinite]] for (uint k = block; k < min(block + 4, n); k++)
      part += a[row * n + k] * b[k * n + col];
    sum += part;
  }
  c[row * n + col] = sum;
}
