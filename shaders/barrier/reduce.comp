// What:  tree reduction of a workgroup
// Idea:  a barrier in a loop whose body is half idle
// Watch: the idle half still meets at the barrier
#version 450
layout(local_size_x = 256) in;
layout(std430, binding = 0) readonly buffer In { float source[]; };
layout(std430, binding = 1) writeonly buffer Out { float sums[]; };
shared float part[256];

void main() {
  uint l = gl_LocalInvocationIndex;
  part[l] = source[gl_GlobalInvocationID.x];
  for (uint half_ = 128; half_ > 0; half_ >>= 1) {
    barrier();
    if (l < half_)
      part[l] += part[l + half_];
  }
  if (l == 0)
    sums[gl_WorkGroupID.x] = part[0];
}
