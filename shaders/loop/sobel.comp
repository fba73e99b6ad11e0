// What:  Sobel edge detector over a storage image
// Idea:  image loads in two loops, one store
// Watch: the image handle is loaded in each block that uses it
#version 450
layout(local_size_x = 8, local_size_y = 8) in;
layout(binding = 0, rgba8) uniform readonly image2D source;
layout(binding = 1, r32f) uniform writeonly image2D target;

void main() {
  ivec2 p = ivec2(gl_GlobalInvocationID.xy), size = imageSize(source);
  if (any(greaterThanEqual(p, size)))
    return;
  vec2 g = vec2(0.0);
  for (int y = -1; y <= 1; y++)
    for (int x = -1; x <= 1; x++) {
      ivec2 q = p + ivec2(x, y);
      if (any(lessThan(q, ivec2(0))) || any(greaterThanEqual(q, size)))
        continue;
      float luma = dot(imageLoad(source, q).rgb, vec3(0.3, 0.6, 0.1));
      g += luma * vec2(x * (2 - abs(y)), y * (2 - abs(x)));
    }
  imageStore(target, p, vec4(length(g)));
}
