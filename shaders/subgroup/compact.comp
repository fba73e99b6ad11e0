// What:  stream compaction with one atomic a subgroup
// Idea:  ballot in a divergent branch, one elected lane
// Watch: the ballot counts the lanes of its tangle
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_ballot : require

layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer In { uint source[]; };
layout(std430, binding = 1) writeonly buffer Out { uint target[]; };
layout(std430, binding = 2) buffer Count { uint count; };

void main() {
  uint value = source[gl_GlobalInvocationID.x];
  if ((value & 1u) != 0) {
    uvec4 mask = subgroupBallot(true);
    uint base = 0;
    if (subgroupElect())
      base = atomicAdd(count, subgroupBallotBitCount(mask));
    base = subgroupBroadcastFirst(base);
    target[base + subgroupBallotExclusiveBitCount(mask)] = value;
  }
}
