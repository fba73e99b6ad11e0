// What:  vertex shader that blends morph targets
// Idea:  a loop over a uniform array in a vertex shader
// Watch: outputs are written after the loop and inside it
#version 450
layout(location = 0) in vec3 position;
layout(location = 1) in vec3 deltas[4];
layout(location = 0) out vec3 normal;
layout(binding = 0) uniform Morph { mat4 view; vec4 weights; int count; } morph;

void main() {
  vec3 p = position;
  normal = vec3(0.0);
  for (int i = 0; i < morph.count; i++) {
    float w = morph.weights[i];
    if (w == 0.0)
      continue;
    p += deltas[i] * w;
    normal += normalize(deltas[i]);
  }
  gl_Position = morph.view * vec4(p, 1.0);
}
