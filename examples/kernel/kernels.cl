/* The three kernels of this example. */

/* The mean of each pixel's neighbours; at the edges the sampler repeats the last pixel. */
constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void blur(read_only image2d_t in, write_only image2d_t out) {
  int2 at = (int2)(get_global_id(0), get_global_id(1));
  float4 sum = 0;
  for (int y = -1; y <= 1; y++)
    for (int x = -1; x <= 1; x++)
      sum += read_imagef(in, nearest, at + (int2)(x, y));
  write_imagef(out, at, sum / 9);
}

/* The sum of each workgroup's numbers, in local memory whose size the host chooses. */
kernel void sum(global const uint *in, global uint *out, local uint *part) {
  uint id = get_local_id(0);
  part[id] = in[get_global_id(0)];
  for (uint step = get_local_size(0) / 2; step > 0; step /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    if (id < step)
      part[id] += part[id + step];
  }
  if (id == 0)
    out[get_group_id(0)] = part[0];
}

uint letter(global const uint *text, uint i) {
  return text[i / 4] >> i % 4 * 8 & 255;
}

/* Counts the words of each line of `length` letters, four of them in a number, and finds the longest: a state machine
 * whose states `space` and `word` are one cycle with two entries. */
kernel void words(global const uint *text, uint length, global uint2 *out) {
  uint self = get_global_id(0), i = self * length, end = i + length;
  uint count = 0, longest = 0, at = 0;
  if (letter(text, i) != ' ')
    goto word;
space:
  if (i == end)
    goto done;
  if (letter(text, i++) == ' ')
    goto space;
  i--;
word:
  if (at == 0)
    count++;
  at++;
  longest = max(longest, at);
  if (++i == end)
    goto done;
  if (letter(text, i) != ' ')
    goto word;
  at = 0;
  goto space;
done:
  out[self] = (uint2)(count, longest);
}
