// What:  one generation of Conway's life
// Idea:  two small counted loops, then a nested conditional
// Watch: the skip of the middle cell is a continue
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, binding = 0) readonly buffer In { uint now[]; };
layout(std430, binding = 1) writeonly buffer Out { uint next[]; };
layout(push_constant) uniform Size { int width, height; } size;

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy);
  uint neighbours = 0;
  for (int dy = -1; dy <= 1; dy++)
    for (int dx = -1; dx <= 1; dx++) {
      if (dx == 0 && dy == 0)
        continue;
      ivec2 q = ivec2((p.x + dx + size.width) % size.width, (p.y + dy + size.height) % size.height);
      neighbours += now[q.y * size.width + q.x];
    }
  uint alive = now[p.y * size.width + p.x];
  uint result;
  if (alive != 0)
    result = neighbours == 2 || neighbours == 3 ? 1 : 0;
  else
    result = neighbours == 3 ? 1 : 0;
  next[p.y * size.width + p.x] = result;
}
