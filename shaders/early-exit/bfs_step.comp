// What:  one level of breadth-first search
// Idea:  guards that return, then a loop with an atomic claim
// Watch: three nested ways out of one block
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Offsets { uint offsets[]; };
layout(std430, binding = 1) readonly buffer Neighbours { uint neighbours[]; };
layout(std430, binding = 2) buffer Levels { uint levels[]; };
layout(std430, binding = 3) buffer Changed { uint changed; };
layout(push_constant) uniform Step { uint count, level; } step_;

void main() {
  uint v = gl_GlobalInvocationID.x;
  if (v >= step_.count)
    return;
  if (levels[v] != step_.level)
    return;
  for (uint e = offsets[v]; e < offsets[v + 1]; e++) {
    uint w = neighbours[e];
    if (w >= step_.count)
      break;
    if (levels[w] != 0xffffffffu)
      continue;
    if (atomicCompSwap(levels[w], 0xffffffffu, step_.level + 1) == 0xffffffffu)
      changed = 1;
  }
}
