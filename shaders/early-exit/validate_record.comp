// What:  checks a record field by field
// Idea:  a ladder of returns with different codes
// Watch: each return carries a value that a phi must gather
#version 450
layout(local_size_x = 64) in;
struct Record { uint magic, version, count, checksum; uint payload[12]; };
layout(std430, binding = 0) readonly buffer Records { Record records[]; };
layout(std430, binding = 1) writeonly buffer Codes { uint codes[]; };

uint check(uint i) {
  if (records[i].magic != 0x07230203u)
    return 1;
  if (records[i].version > 3)
    return 2;
  uint n = records[i].count, sum = 0;
  if (n > 12)
    return 3;
  for (uint j = 0; j < n; j++) {
    uint word = records[i].payload[j];
    if (word == 0xdeadbeefu)
      return 4;
    sum = sum * 31 + word;
  }
  return sum == records[i].checksum ? 0 : 5;
}

void main() {
  codes[gl_GlobalInvocationID.x] = check(gl_GlobalInvocationID.x);
}
