// What:  serves lanes that share a key together
// Idea:  a loop that ends when every lane has been served
// Watch: the lanes of one iteration must stay one tangle
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require
#extension GL_KHR_shader_subgroup_arithmetic : require

layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Keys { uint keys[]; };
layout(std430, binding = 1) buffer Sums { uint sums[]; };

void main() {
  uint key = keys[gl_GlobalInvocationID.x];
  for (;;) {
    uint first = subgroupBroadcastFirst(key);
    if (key == first) {
      uint lanes = subgroupAdd(1u);
      if (subgroupElect())
        atomicAdd(sums[first], lanes);
      break;
    }
  }
}
