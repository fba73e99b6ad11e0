#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, binding = 0) buffer Picture { uint steps[]; } picture;
layout(push_constant) uniform View { uint width, height; } view;

// One step of the iteration, for a point of the plane as a complex number.
vec2 next(vec2 z, vec2 c) {
  return vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
}

void main() {
  uvec2 at = gl_GlobalInvocationID.xy;
  vec2 z = vec2(at) / vec2(view.width, view.height) * 3.0 - 1.5;
  uint count = 0;
  while (count < LIMIT) {
    if (dot(z, z) > 4.0) {
      // shade the pixel where it leaves
      uint shade = count;
      for (uint i = 0; i < 8; i++)
        shade = shade * 33 + i;
      picture.steps[at.y * view.width + at.x] = shade;
      return;
    }
    z = next(z, vec2(-0.8, 0.16));
    count++;
  }
  picture.steps[at.y * view.width + at.x] = 0;
}
