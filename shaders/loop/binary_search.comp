// What:  binary search in a sorted table
// Idea:  a loop whose body has three outcomes: found, left, right
// Watch: a lane that has found its key breaks out of a nested if
#version 450
layout(local_size_x = 64) in;
layout(std430, binding = 0) readonly buffer Table { uint table[]; };
layout(std430, binding = 1) buffer Keys { int keys[]; };
layout(push_constant) uniform Size { uint count; } size;

void main() {
  uint key = uint(keys[gl_GlobalInvocationID.x]);
  uint low = 0, high = size.count;
  int found = -1;
  while (low < high) {
    uint middle = low + (high - low) / 2;
    uint value = table[middle];
    if (value == key) {
      found = int(middle);
      break;
    } else if (value < key) {
      low = middle + 1;
    } else {
      high = middle;
    }
  }
  keys[gl_GlobalInvocationID.x] = found;
}
