// What:  fragment shader that selects a material model
// Idea:  a switch with discard, return and sampling in the cases
// Watch: one case kills the fragment
#version 450
layout(location = 0) in vec2 uv;
layout(location = 1) flat in uint kind;
layout(location = 0) out vec4 colour;
layout(binding = 0) uniform sampler2D albedo;

void main() {
  vec4 base = texture(albedo, uv);
  switch (kind) {
  case 0:
    if (base.a < 0.5)
      discard;
    colour = base;
    return;
  case 1:
    base.rgb *= base.a;
  case 2:
    base.a = 1.0;
    break;
  default:
    discard;
  }
  colour = base;
}
