// What:  tiled matrix product in shared memory
// Idea:  two barriers in a loop, an inner unrolled loop
// Watch: the edge tiles are guarded by selections, not by returns
#version 450
#extension GL_EXT_control_flow_attributes : require
layout(local_size_x = 16, local_size_y = 16) in;
layout(std430, binding = 0) readonly buffer A { float a[]; };
layout(std430, binding = 1) readonly buffer B { float b[]; };
layout(std430, binding = 2) writeonly buffer C { float c[]; };
layout(push_constant) uniform Size { uint n; } size;
shared float tile_a[16][16], tile_b[16][16];

void main() {
  uvec2 l = gl_LocalInvocationID.xy, g = gl_GlobalInvocationID.xy;
  uint n = size.n;
  float sum = 0.0;
  for (uint t = 0; t < n; t += 16) {
    tile_a[l.y][l.x] = g.y < n && t + l.x < n ? a[g.y * n + t + l.x] : 0.0;
    tile_b[l.y][l.x] = g.x < n && t + l.y < n ? b[(t + l.y) * n + g.x] : 0.0;
    barrier();
    [[unroll]] for (uint k = 0; k < 16; k++)
      sum += tile_a[l.y][k] * tile_b[k][l.x];
    barrier();
  }
  if (g.x < n && g.y < n)
    c[g.y * n + g.x] = sum;
}
