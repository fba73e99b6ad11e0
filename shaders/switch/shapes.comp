// What:  signed distance of mixed primitives
// Idea:  a switch in a loop, with nested selections in the cases
// Watch: cases share code after the switch
#version 450
layout(local_size_x = 64) in;
struct Shape { uint kind; float size; vec2 centre; };
layout(std430, binding = 0) readonly buffer Shapes { Shape shapes[]; };
layout(std430, binding = 1) writeonly buffer Distances { float distances[]; };
layout(push_constant) uniform Size { uint count; } size;

void main() {
  vec2 p = vec2(gl_GlobalInvocationID.xy);
  float nearest = 1e9;
  for (uint i = 0; i < size.count; i++) {
    Shape s = shapes[i];
    vec2 q = abs(p - s.centre);
    float d;
    switch (s.kind) {
    case 0:
      d = length(q) - s.size;
      break;
    case 1:
    case 2:
      d = max(q.x, q.y) - s.size;
      if (s.kind == 2 && d > 0.0)
        d = length(max(q - s.size, 0.0));
      break;
    case 7:
      d = q.x + q.y - s.size;
      break;
    default:
      continue;
    }
    nearest = min(nearest, d);
  }
  distances[gl_GlobalInvocationID.x] = nearest;
}
