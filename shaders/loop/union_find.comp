// What:  union-find with atomic compare and swap
// Idea:  a retry loop around two pointer chases
// Watch: atomics: no instruction may run twice
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Parents { uint parent[]; };
layout(std430, binding = 1) readonly buffer Edges { uvec2 edges[]; };
layout(push_constant) uniform Size { uint count; } size;

uint root(uint x) {
  uint p = parent[x];
  while (p != x) {
    uint grand = parent[p];
    parent[x] = grand;
    x = p;
    p = grand;
  }
  return x;
}

void main() {
  uint i = gl_GlobalInvocationID.x;
  if (i >= size.count)
    return;
  uint a = edges[i].x, b = edges[i].y;
  for (;;) {
    a = root(a);
    b = root(b);
    if (a == b)
      return;
    uint low = min(a, b), high = max(a, b);
    if (atomicCompSwap(parent[high], high, low) == high)
      break;
  }
}
