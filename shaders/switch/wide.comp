// What:  maps 64-bit keys by their high word
// Idea:  a switch whose cases compute with 64-bit values
// Watch: labels with the top bit set; 64-bit phis
#version 450
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Data { uint64_t keys[]; };

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint64_t key = keys[i], result;
  switch (uint(key >> 32)) {
  case 1u:
    result = key & 0xfffful;
    break;
  case 0x80000000u:
    result = key >> 8;
    break;
  case 0xffffffffu:
    result = ~key;
    break;
  default:
    result = 0ul;
  }
  keys[i] = result;
}
