// What:  histogram with a private copy in shared memory
// Idea:  atomics between barriers, strided loops
// Watch: the clearing and the flush are loops of different trip count
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer In { uint source[]; };
layout(std430, binding = 1) buffer Bins { uint bins[256]; };
layout(push_constant) uniform Size { uint count; } size;
shared uint local_bins[256];

void main() {
  for (uint i = gl_LocalInvocationIndex; i < 256; i += 64)
    local_bins[i] = 0;
  barrier();
  uint stride = gl_NumWorkGroups.x * 64;
  for (uint i = gl_GlobalInvocationID.x; i < size.count; i += stride) {
    uint word = source[i];
    if (word == 0)
      continue;
    atomicAdd(local_bins[word & 255u], 1u);
  }
  barrier();
  for (uint i = gl_LocalInvocationIndex; i < 256; i += 64)
    if (local_bins[i] != 0)
      atomicAdd(bins[i], local_bins[i]);
}
