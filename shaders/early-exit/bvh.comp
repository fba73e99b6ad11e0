// What:  ray traversal of a bounding-volume tree with a stack
// Idea:  a loop over an explicit stack with an any-hit return
// Watch: a hit leaves three constructs at once
#version 450
layout(local_size_x = 32) in;
struct Node { vec3 low; uint left; vec3 high; uint right; };
layout(std430, binding = 0) readonly buffer Nodes { Node nodes[]; };
layout(std430, binding = 1) buffer Rays { vec4 rays[][2]; };

bool hits(Node n, vec3 from, vec3 inverse) {
  vec3 a = (n.low - from) * inverse, b = (n.high - from) * inverse;
  vec3 low = min(a, b), high = max(a, b);
  return max(max(low.x, low.y), low.z) <= min(min(high.x, high.y), high.z);
}

void main() {
  uint self = gl_GlobalInvocationID.x;
  vec3 from = rays[self][0].xyz, inverse = 1.0 / rays[self][1].xyz;
  uint stack[24];
  int top = 0;
  stack[top++] = 0;
  while (top > 0) {
    uint at = stack[--top];
    Node n = nodes[at];
    if (!hits(n, from, inverse))
      continue;
    if (n.left == 0) {
      if (n.right != self) {
        rays[self][0].w = float(n.right);
        return;
      }
      continue;
    }
    if (top + 2 > 24)
      break;
    stack[top++] = n.left;
    stack[top++] = n.right;
  }
  rays[self][0].w = -1.0;
}
