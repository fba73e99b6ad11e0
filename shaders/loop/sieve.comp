// What:  counts primes by trial division
// Idea:  nested loops with continue and break in both
// Watch: continue of the outer loop from inside the inner one
#version 450
layout(local_size_x = 32) in;
layout(std430, binding = 0) buffer Data { uint data[]; };

void main() {
  uint i = gl_GlobalInvocationID.x, from = i * 64 + 2, count = 0;
  for (uint n = from; n < from + 64; n++) {
    bool prime = true;
    for (uint d = 2; d * d <= n; d++) {
      if (d > 2 && (d & 1u) == 0)
        continue;
      if (n % d == 0) {
        prime = false;
        break;
      }
    }
    if (!prime)
      continue;
    count++;
  }
  data[i] = count;
}
