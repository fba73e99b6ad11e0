// What:  one step of an n-body simulation
// Idea:  a plain counted loop over a buffer of structs
// Watch: a uniform trip count, so no lane leaves early
#version 450
layout(local_size_x = 64) in;
struct Body { vec4 position_mass; vec4 velocity; };
layout(std430, binding = 0) readonly buffer In { Body bodies_in[]; };
layout(std430, binding = 1) writeonly buffer Out { Body bodies_out[]; };
layout(push_constant) uniform Step { uint count; float dt; } step_;

void main() {
  uint self = gl_GlobalInvocationID.x;
  if (self >= step_.count)
    return;
  Body me = bodies_in[self];
  vec3 force = vec3(0.0);
  for (uint i = 0; i < step_.count; i++) {
    vec4 other = bodies_in[i].position_mass;
    vec3 d = other.xyz - me.position_mass.xyz;
    float r = dot(d, d) + 1e-4;
    force += d * (other.w * inversesqrt(r) / r);
  }
  me.velocity.xyz += force * step_.dt;
  me.position_mass.xyz += me.velocity.xyz * step_.dt;
  bodies_out[self] = me;
}
