// What:  matches the pattern a(b|c)*d+ in a text
// Idea:  a state machine: switch on the state in a loop over characters
// Watch: dead and accepting states leave the loop
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Text { uint text[]; };
layout(std430, binding = 1) writeonly buffer Result { uint matched[]; };
layout(push_constant) uniform Size { uint count; } size;

void main() {
  uint start = gl_GlobalInvocationID.x, state = 0, end = 0;
  for (uint i = start; i < size.count; i++) {
    uint c = text[i];
    switch (state) {
    case 0:
      state = c == 97 ? 1 : 3;
      break;
    case 1:
      if (c == 98 || c == 99)
        break;
      state = c == 100 ? 2 : 3;
      break;
    case 2:
      if (c != 100) {
        state = 3;
      }
      break;
    }
    if (state == 3)
      break;
    if (state == 2)
      end = i + 1;
  }
  matched[start] = end;
}
