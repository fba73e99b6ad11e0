// What:  escape-time Mandelbrot set, one pixel an invocation
// Idea:  a loop left by a count or by a test
// Watch: lanes leave at different iterations
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(std430, binding = 0) writeonly buffer Image { uint image[]; };
layout(push_constant) uniform Size { uint width, height, limit; } size;

void main() {
  uvec2 p = gl_GlobalInvocationID.xy;
  if (p.x >= size.width || p.y >= size.height)
    return;
  vec2 c = vec2(p) / vec2(size.width, size.height) * 3.0 - vec2(2.0, 1.5);
  vec2 z = vec2(0.0);
  uint n = 0;
  while (n < size.limit) {
    z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) + c;
    if (dot(z, z) > 4.0)
      break;
    n++;
  }
  image[p.y * size.width + p.x] = n;
}
