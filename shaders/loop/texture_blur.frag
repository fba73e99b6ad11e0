// What:  blur with a radius per pixel
// Idea:  implicit-LOD sampling before, explicit inside the loop
// Watch: derivatives need the lanes of the input together
#version 450
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 colour;
layout(binding = 0) uniform sampler2D image;
layout(binding = 1) uniform sampler2D depth;

void main() {
  vec4 sum = texture(image, uv);
  float radius = texture(depth, uv).r * 8.0, weight = 1.0;
  for (float r = 1.0; r < radius; r += 1.0) {
    vec2 d = vec2(r) / vec2(textureSize(image, 0));
    vec4 a = textureLod(image, uv + d, 0.0);
    if (a.a < 0.01)
      break;
    sum += a + textureLod(image, uv - d, 0.0);
    weight += 2.0;
  }
  colour = sum / weight;
}
