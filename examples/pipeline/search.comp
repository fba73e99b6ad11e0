// Each invocation looks up a key of its own in a sorted table: a loop with three exits.
#version 450
layout(local_size_x = 32) in;
layout(std430, binding = 0) readonly buffer Table { uint table[64]; };
layout(std430, binding = 1) writeonly buffer Found { uint found[32]; };

uint find(uint key) {
  for (uint i = 0; i < 64; i++) {
    if (table[i] == key)
      return i;
    if (table[i] > key)
      return 1000 + i;
  }
  return 2000;
}

void main() { found[gl_GlobalInvocationID.x] = find(gl_GlobalInvocationID.x * 7); }
