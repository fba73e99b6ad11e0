// What:  a byte-code interpreter
// Idea:  a loop around a switch with fall-through and return
// Watch: fall-through keeps the order of the cases
#version 450
layout(local_size_x = 32) in;
layout(std430, binding = 0) readonly buffer Program { uint program[]; };
layout(std430, binding = 1) buffer Data { uint data[]; };

void main() {
  uint self = gl_GlobalInvocationID.x, x = data[self], y = 0, pc = 0;
  for (uint fuel = 0; fuel < 256; fuel++) {
    uint word = program[pc++], argument = word >> 8;
    switch (word & 255u) {
    case 0:
      data[self] = x;
      return;
    case 1:
      x += argument;
      break;
    case 2:
      y = x;
      x = argument;
      break;
    case 3:
      x = ~x;
    case 4: // falls through from 3: negate is not, then add one
      x += 1;
      break;
    case 5:
      if (x == 0)
        break;
    case 6:
      pc = argument;
      continue;
    default:
      x ^= y;
    }
  }
  data[self] = 0xffffffffu;
}
