// What:  inclusive prefix sum of a workgroup
// Idea:  subgroup scan, then a scan of the totals
// Watch: all lanes of the subgroup must meet at each operation
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_arithmetic : require

layout(local_size_x = 128) in;
layout(std430, binding = 0) buffer Data { uint data[]; };
shared uint totals[128];

void main() {
  uint i = gl_GlobalInvocationID.x;
  uint sum = subgroupInclusiveAdd(data[i]);
  if (gl_SubgroupInvocationID == gl_SubgroupSize - 1)
    totals[gl_SubgroupID] = sum;
  barrier();
  uint before = 0;
  for (uint s = 0; s < gl_SubgroupID; s++)
    before += totals[s];
  data[i] = before + sum;
}
