// What:  decodes a two-level instruction format
// Idea:  switches in switches, default in the middle
// Watch: inner break leaves only the inner switch
#version 450
layout(local_size_x = 32) in;
layout(std430, binding = 0) buffer Data { uint data[]; };

void main() {
  uint i = gl_GlobalInvocationID.x, word = data[i], cost = 0;
  switch (word >> 28) {
  case 0:
    switch (word & 15u) {
    case 0:
      cost = 1;
      break;
    case 1:
      cost = 2;
    case 2:
      cost += 3;
      break;
    default:
      cost = 9;
    }
    break;
  default:
    cost = 100;
    break;
  case 4:
    if ((word & 1u) != 0) {
      data[i] = 77;
      return;
    }
  case 5:
    cost += word & 255u;
  }
  data[i] = cost;
}
