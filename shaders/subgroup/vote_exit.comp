// What:  iterates until no lane of the subgroup changes
// Idea:  subgroupAny as a uniform loop condition
// Watch: the condition is uniform although its input is not
#version 450
#extension GL_KHR_shader_subgroup_basic : require
#extension GL_KHR_shader_subgroup_vote : require

layout(local_size_x = 64) in;
layout(std430, binding = 0) buffer Data { uint data[]; };

void main() {
  uint i = gl_GlobalInvocationID.x, x = data[i], rounds = 0;
  bool active_ = true;
  while (subgroupAny(active_)) {
    if (active_) {
      uint next = (x >> 1) ^ (x & 3u);
      active_ = next < x;
      x = min(x, next);
    }
    if (++rounds == 64)
      break;
  }
  data[i] = x + rounds;
}
