// What:  sphere-traced scene
// Idea:  a loop with two early returns and a discard
// Watch: hit and miss leave the loop at different blocks
#version 450
layout(location = 0) in vec2 uv;
layout(location = 0) out vec4 colour;
layout(push_constant) uniform Camera { vec3 eye; int steps; } camera;

float scene(vec3 p) {
  return min(length(p) - 1.0, min(length(p - vec3(2.0, 0.0, 0.0)) - 0.5, p.y + 1.0));
}

void main() {
  vec3 direction = normalize(vec3(uv * 2.0 - 1.0, 1.5));
  float t = 0.0;
  for (int i = 0; i < camera.steps; i++) {
    vec3 p = camera.eye + direction * t;
    float d = scene(p);
    if (d < 0.001) {
      if (p.y < -0.99) {
        colour = vec4(vec3(mod(floor(p.x) + floor(p.z), 2.0)), 1.0);
        return;
      }
      colour = vec4(normalize(p) * 0.5 + 0.5, 1.0);
      return;
    }
    t += d;
    if (t > 50.0)
      discard;
  }
  colour = vec4(0.0);
}
