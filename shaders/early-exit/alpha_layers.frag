// What:  front-to-back blending of texture layers
// Idea:  a loop left when the pixel is opaque, discard when empty
// Watch: handles from an array of samplers
#version 450
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 colour;
layout(binding = 0) uniform sampler2D layers[8];
layout(push_constant) uniform Layers { int count; float cutoff; } limits;

void main() {
  vec4 sum = vec4(0.0);
  for (int i = 0; i < limits.count; i++) {
    vec4 layer = textureLod(layers[i], uv, 0.0);
    if (layer.a == 0.0)
      continue;
    sum += layer * layer.a * (1.0 - sum.a);
    if (sum.a > 0.99)
      break;
  }
  if (sum.a < limits.cutoff)
    discard;
  colour = sum;
}
