// What:  alpha test that ends the fragment
// Idea:  helper function that terminates from inside a loop
// Watch: OpKill or OpTerminateInvocation in a callee
#version 450
layout(location = 0) in vec4 tint;
layout(location = 0) out vec4 colour;
layout(push_constant) uniform Mask { uint bits[4]; } mask;

void cut(uvec2 p) {
  for (int i = 0; i < 4; i++) {
    if (mask.bits[i] == 0u)
      return;
    if ((mask.bits[i] >> ((p.x ^ p.y) & 31u) & 1u) != 0u)
      discard;
  }
}

void main() {
  cut(uvec2(gl_FragCoord.xy));
  colour = tint;
}
