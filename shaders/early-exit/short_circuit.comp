// What:  point in a set of boxes with compound conditions
// Idea:  || and && of loads: each becomes a branch
// Watch: the joins do not nest after optimisation
#version 450
layout(local_size_x = 64) in;
struct Box { vec2 low, high; uint flags, parent; };
layout(std430, binding = 0) readonly buffer Boxes { Box boxes[]; };
layout(std430, binding = 1) buffer Points { vec4 points[]; };
layout(push_constant) uniform Size { uint count; } size;

void main() {
  vec4 p = points[gl_GlobalInvocationID.x];
  uint hits = 0;
  for (uint i = 0; i < size.count; i++) {
    bool wanted = (boxes[i].flags == 1 || boxes[boxes[i].parent].flags == 2) &&
                  (p.z > 0.0 || boxes[i].parent != i);
    if (wanted && p.x >= boxes[i].low.x && p.y >= boxes[i].low.y &&
        (p.x < boxes[i].high.x || p.y < boxes[i].high.y)) {
      if (++hits > 3 || boxes[i].flags > 7)
        break;
    }
  }
  points[gl_GlobalInvocationID.x].w = float(hits);
}
