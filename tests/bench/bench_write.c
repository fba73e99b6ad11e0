/* SPDX-License-Identifier: Apache-2.0 */
/* bench_write: generates one function after the other and writes each in both languages. */
#include "tests/bench/bench_write.h"

static void write_functions(const BenchShape *shape, BenchSpirv *s, FILE *ll) {
  uint32_t functions = shape->each < shape->blocks ? shape->blocks / shape->each : 1;
  Rng rng = {rng_mix(shape->seed ^ rng_mix(shape->family * 1000003u + shape->each))};
  for (uint32_t k = 0; k < functions; k++) {
    BenchFunction f;
    bench_function_make(&f, shape->family, shape->blocks / functions, &rng);
    bench_spirv_function(s, &f, k);
    if (ll)
      bench_llvm_function(ll, &f, k);
    bench_function_free(&f);
  }
}

static bool end(BenchSpirv *s, const char *spv) {
  bool good = bench_spirv_end(s, spv);
  if (!good)
    fprintf(stderr, "spvreconv-bench: cannot write %s\n", spv);
  return good;
}

bool bench_write(const BenchShape *shape, const char *spv, const char *ll) {
  FILE *text = ll ? fopen(ll, "w") : NULL;
  if (ll && !text)
    return perror(ll), false;
  BenchSpirv *s = bench_spirv_begin();
  write_functions(shape, s, text);
  bool good = end(s, spv);
  if (text && fclose(text) != 0)
    return perror(ll), false;
  return good;
}

bool bench_write_kernel(const BenchShape *shape, const char *spv) {
  BenchSpirv *s = bench_spirv_begin();
  write_functions(shape, s, NULL);
  bench_spirv_kernel(s);
  return end(s, spv);
}
