/* SPDX-License-Identifier: Apache-2.0 */
/* bench_opt: see bench_opt.h. */
#include "tests/bench/bench_opt.h"

#include <stdio.h>
#include <string.h>

/* Some passes have got other names, or need an option to be used alone. */
enum { NEWER_NAMES = 16 };

static bool is_installed(const BenchOpt *o) {
  const char *const argv[] = {o->opt, "--version", NULL};
  return bench_run(argv, "/dev/null", "/dev/null", 10).end == BENCH_DONE;
}

size_t bench_opt_find(const unsigned *wanted, size_t count, BenchOpt *found) {
  static const unsigned usual[] = {22, 21, 20, 19, 18, 17, 16, 15};
  size_t n = 0, all = count ? count : sizeof usual / sizeof *usual;
  for (size_t i = 0; i < all && n < BENCH_OPTS; i++) {
    BenchOpt o = {.version = count ? wanted[i] : usual[i]};
    if (!count && n == 1 && o.version != 15)
      continue;
    snprintf(o.opt, sizeof o.opt, "opt-%u", o.version);
    if (is_installed(&o))
      found[n++] = o;
  }
  return n;
}

void bench_opt_structurizer(const BenchOpt *o, char *passes, size_t size) {
  snprintf(passes, size, "-passes=function(%s,fix-irreducible,unify-loop-exits,structurizecfg)",
           o->version < NEWER_NAMES ? "lowerswitch" : "lower-switch");
}

void bench_opt_cleanup(const BenchOpt *o, char *passes, size_t size) {
  const char *combine = o->version < 18 ? "instcombine" : "instcombine<no-verify-fixpoint>";
  snprintf(passes, size, "-passes=function(%s,early-cse<memssa>,%s,early-cse,adce)", combine,
           combine);
}

bool bench_opt_clean(const BenchOpt *o, const char *in, const char *ll, const char *messages,
                     unsigned limit, BenchCounts *counts) {
  char passes[160];
  bench_opt_cleanup(o, passes, sizeof passes);
  const char *const argv[] = {o->opt, "-S", "-disable-verify", passes, in, "-o", ll, NULL};
  return bench_run(argv, "/dev/null", messages, limit).end == BENCH_DONE &&
         bench_count_llvm(ll, counts);
}

bool bench_opt_clean_spirv(const BenchOpt *o, const char *spv, const char *bc, const char *ll,
                           const char *messages, unsigned limit, BenchCounts *counts) {
  const char *const argv[] = {"llvm-spirv-15", "-r", spv, "-o", bc, NULL};
  return bench_run(argv, "/dev/null", messages, limit).end == BENCH_DONE &&
         bench_opt_clean(o, bc, ll, messages, limit, counts);
}
