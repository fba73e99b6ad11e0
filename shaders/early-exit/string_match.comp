// What:  naive substring search
// Idea:  inner loop that fails early, outer one that succeeds early
// Watch: the return inside two loops
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Text { uint text[]; };
layout(std430, binding = 1) readonly buffer Pattern { uint pattern[]; };
layout(std430, binding = 2) writeonly buffer Found { int found[]; };
layout(push_constant) uniform Size { uint count, pattern_length, chunk; } size;

int find(uint from, uint to) {
  for (uint i = from; i < to; i++) {
    bool same = true;
    for (uint j = 0; j < size.pattern_length; j++)
      if (text[i + j] != pattern[j]) {
        same = false;
        break;
      }
    if (same)
      return int(i);
  }
  return -1;
}

void main() {
  uint from = gl_GlobalInvocationID.x * size.chunk;
  uint last = size.count - min(size.count, size.pattern_length);
  found[gl_GlobalInvocationID.x] = find(from, min(from + size.chunk, last + 1));
}
