/* Included by functions.amber by its name. */
inline float4 power(float4 x, float by) {
  return native_powr(x, by);
}

kernel void functions(global const float4 *in, global float4 *out, const int rounds) {
  size_t i = get_global_id(0);
  float4 x = in[i];
  out[4 * i] = exp(x) / (1.0f + pow(x, 2.4f));
  out[4 * i + 1] = sin(x) * log2(x + 1.0f) - FACTOR * cbrt(x);
  out[4 * i + 2] = power(x, 0.45f) + mad(x, x, -0.25f);
  for (int k = 0; k < rounds; k++)
    x = sqrt(x) + rsqrt(x + (float)k) * normalize(x);
  out[4 * i + 3] = (float4)(dot(x, in[i]), length(x), distance(x, in[i]), fast_length(x));
}
