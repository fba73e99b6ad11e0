// What:  a hash like SHA-256 over one 16-word block
// Idea:  two loops over a local array with index arithmetic
// Watch: arrays of Function storage indexed by phis
#version 450
layout(local_size_x = 32) in;
layout(std430, binding = 0) readonly buffer In { uint message[]; };
layout(std430, binding = 1) writeonly buffer Out { uint digest[]; };

uint rotate(uint x, uint n) { return (x >> n) | (x << (32 - n)); }

void main() {
  uint self = gl_GlobalInvocationID.x;
  uint w[64];
  for (uint i = 0; i < 64; i++) {
    if (i < 16) {
      w[i] = message[self * 16 + i];
    } else {
      uint s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ (w[i - 15] >> 3);
      uint s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ (w[i - 2] >> 10);
      w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
  }
  uint h[8] = uint[8](1u, 2u, 3u, 5u, 8u, 13u, 21u, 34u);
  for (uint i = 0; i < 64; i++) {
    uint t = h[7] + (rotate(h[4], 6) ^ rotate(h[4], 11)) + ((h[4] & h[5]) ^ (~h[4] & h[6])) + w[i];
    for (uint j = 7; j > 0; j--)
      h[j] = h[j - 1];
    h[4] += t;
    h[0] = t + ((h[0] & h[1]) ^ (h[0] & h[2]) ^ (h[1] & h[2]));
  }
  for (uint j = 0; j < 8; j++)
    digest[self * 8 + j] = h[j];
}
