// What:  bitonic sort of a subgroup with shuffles
// Idea:  nested counted loops around subgroupShuffleXor
// Watch: uniform loops: no lane may leave
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_shuffle : require

layout(local_size_x = 32) in;
layout(std430, binding = 0) buffer Data { uint data[]; };

void main() {
  uint i = gl_GlobalInvocationID.x, lane = gl_SubgroupInvocationID, x = data[i];
  for (uint size = 2; size <= gl_SubgroupSize; size <<= 1)
    for (uint stride = size >> 1; stride > 0; stride >>= 1) {
      uint y = subgroupShuffleXor(x, stride);
      bool ascending = (lane & size) == 0, lower = (lane & stride) == 0;
      if (lower == ascending)
        x = min(x, y);
      else
        x = max(x, y);
    }
  data[i] = x;
}
