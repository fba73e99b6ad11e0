// What:  LU decomposition of small matrices with row pivoting
// Idea:  triangular loop nest with a search inside
// Watch: a singular matrix leaves the nest by return
#version 450
layout(local_size_x = 32) in;
layout(std430, binding = 0) buffer Matrices { float m[][8][8]; };
layout(std430, binding = 1) writeonly buffer Status { uint status[]; };

void main() {
  uint self = gl_GlobalInvocationID.x;
  for (int k = 0; k < 8; k++) {
    int pivot = k;
    for (int row = k + 1; row < 8; row++)
      if (abs(m[self][row][k]) > abs(m[self][pivot][k]))
        pivot = row;
    if (m[self][pivot][k] == 0.0) {
      status[self] = uint(k) + 1;
      return;
    }
    if (pivot != k)
      for (int col = 0; col < 8; col++) {
        float t = m[self][k][col];
        m[self][k][col] = m[self][pivot][col];
        m[self][pivot][col] = t;
      }
    for (int row = k + 1; row < 8; row++) {
      float factor = m[self][row][k] / m[self][k][k];
      m[self][row][k] = factor;
      for (int col = k + 1; col < 8; col++)
        m[self][row][col] -= factor * m[self][k][col];
    }
  }
  status[self] = 0;
}
