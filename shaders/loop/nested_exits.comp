// What:  searches a 3-d grid for the first hit
// Idea:  three nested loops, each left by break, continue and return
// Watch: the return leaves all three at once
#version 450
layout(local_size_x = 32) in;
layout(std430, binding = 0) readonly buffer Grid { uint grid[]; };
layout(std430, binding = 1) writeonly buffer Hit { uvec4 hit[]; };
layout(push_constant) uniform Size { uint edge; } size;

void main() {
  uint self = gl_GlobalInvocationID.x, edge = size.edge, skipped = 0;
  for (uint z = 0; z < edge; z++) {
    if (grid[z] == 0)
      continue;
    for (uint y = 0; y < edge; y++) {
      uint row = grid[(z * edge + y) * edge];
      if (row == 0xffffffffu)
        break;
      for (uint x = 0; x < edge; x++) {
        uint value = grid[(z * edge + y) * edge + x];
        if (value == self) {
          hit[self] = uvec4(x, y, z, skipped);
          return;
        }
        if (value > self + 1000u)
          break;
        if ((value & 1u) != 0u) {
          skipped++;
          continue;
        }
        skipped += 2u;
      }
    }
  }
  hit[self] = uvec4(edge, edge, edge, skipped);
}
