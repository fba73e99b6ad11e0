// What:  particles with a trail: arrays of structs of arrays
// Idea:  copies whole structs through loops and branches
// Watch: composite values live across the loop
#version 450
layout(local_size_x = 32) in;
struct Particle { vec3 position; float age; vec3 velocity; uint kind; vec4 trail[4]; };
layout(std430, binding = 0) buffer Particles { Particle particles[]; };
layout(push_constant) uniform Step { float dt; uint steps; } step_;

Particle advance(Particle p, float dt) {
  for (int i = 3; i > 0; i--)
    p.trail[i] = p.trail[i - 1];
  p.trail[0] = vec4(p.position, p.age);
  p.position += p.velocity * dt;
  p.age += dt;
  return p;
}

void main() {
  Particle p = particles[gl_GlobalInvocationID.x];
  Particle best = p;
  for (uint i = 0; i < step_.steps; i++) {
    Particle next = advance(p, step_.dt);
    if (next.position.y < 0.0) {
      next.velocity = reflect(next.velocity, vec3(0.0, 1.0, 0.0)) * 0.5;
      next.kind++;
      if (next.kind > 3)
        break;
    }
    if (next.position.y > best.position.y)
      best = next;
    p = next;
  }
  particles[gl_GlobalInvocationID.x] = best.age > 1.0 ? best : p;
}
