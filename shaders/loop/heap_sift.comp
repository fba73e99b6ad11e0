// What:  priority queue: replaces the top and sifts it down
// Idea:  a loop whose test needs two loads, left in the middle
// Watch: short-circuit conditions inside the loop
#version 450
layout(local_size_x = 32) in;
layout(std430, binding = 0) buffer Heaps { uint heaps[][32]; };
layout(std430, binding = 1) buffer Values { uint values[]; };

void main() {
  uint self = gl_GlobalInvocationID.x, value = values[self], at = 0;
  values[self] = heaps[self][0];
  for (;;) {
    uint child = 2 * at + 1;
    if (child >= 32)
      break;
    if (child + 1 < 32 && heaps[self][child + 1] < heaps[self][child])
      child++;
    if (heaps[self][child] >= value)
      break;
    heaps[self][at] = heaps[self][child];
    at = child;
  }
  heaps[self][at] = value;
}
