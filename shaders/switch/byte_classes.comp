// What:  classifies the characters of a text
// Idea:  a switch in which many labels lead to one case
// Watch: several labels, one target: one phi operand for the block
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int8 : require
#extension GL_EXT_shader_8bit_storage : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Text { uint8_t text[]; };
layout(std430, binding = 1) buffer Counts { uint counts[]; };

void main() {
  uint8_t c = text[gl_GlobalInvocationID.x];
  uint class_;
  switch (uint(c)) {
  case 32: case 9: case 10: case 13:
    class_ = 0;
    break;
  case 48: case 49: case 50: case 51: case 52: case 53: case 54: case 55: case 56: case 57:
    class_ = 1;
    break;
  case 40: case 41: case 91: case 93: case 123: case 125:
    class_ = 2;
    break;
  default:
    class_ = 3;
  }
  atomicAdd(counts[class_], 1u);
}
