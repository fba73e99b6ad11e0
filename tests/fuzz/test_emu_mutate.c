/* SPDX-License-Identifier: Apache-2.0 */
/* test_emu_mutate: damaged modules in the emulator. Loading any input gives a program or a one-line
 * error; an accepted program runs under every policy to a result, or a one-line error: no crash, no
 * hang.
 *
 *   test_emu_mutate --count=3000 --seed=1 [FILE.spv|FILE.spvasm...]
 *
 * Seed modules are the named files and modules of every family of the generator, with and without
 * ballots. One mutant in four is damaged like a corrupt file (mutate.h), the others are changed
 * such that they are often still valid (mutate_valid.h). emu_world.h binds memory. */
#include "tests/fuzz/emu_try.h"
#include "tests/fuzz/guard.h"
#include "tests/fuzz/mutate.h"
#include "tests/fuzz/mutate_valid.h"
#include "tests/fuzz/seeds.h"

#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GENERATED = 28 };

typedef struct Test {
  Seeds seeds;
  uint64_t count, seed, one; /* one: the current mutant */
  uint64_t failed;
  EmuTry try;
} Test;

static void fail(void *user, const char *policy, const char *what, const char *message) {
  Test *t = user;
  printf("FAIL --seed=%llu --count=1, %s: %s: %s\n", (unsigned long long)t->one, policy, what,
         message);
  fflush(stdout);
  t->failed++;
}

/* The module is copied to a block of its exact size, so that a sanitizer sees reads past it. */
static void test_one(Test *t) {
  Rng rng = {rng_mix(t->one)};
  const EmitWords *m = &t->seeds.module[rng_below(&rng, (uint32_t)t->seeds.count)];
  uint32_t *out = emit_resize(NULL, (2 * m->count + 64) * sizeof *out);
  size_t count = m->count;
  if (rng_percent(&rng, 25)) {
    count = mutate(&rng, m->data, m->count, out);
  } else {
    memcpy(out, m->data, count * sizeof *out);
    mutate_valid(&rng, out, count);
  }
  out = emit_resize(out, count * sizeof *out);
  guard_begin(t->one);
  t->try.annotate = t->one % 8 == 0;
  emu_try(&t->try, &rng, out, count);
  guard_end();
  free(out);
}

/* ---- all mutants ----------------------------------------------------------------------------- */

int main(int argc, char **argv) {
  Test t = {.count = 3000, .seed = 1};
  t.try = (EmuTry){.fail = fail, .user = &t};
  if (!guard_options(argc, argv, &t.count, &t.seed)) {
    fputs("usage: test_emu_mutate [--count=N] [--seed=S] [FILE...]\n", stderr);
    return 2;
  }
  guard_start();
  seeds_add_generated(&t.seeds, GENERATED, false);
  seeds_add_generated(&t.seeds, GENERATED, true);
  for (int k = optind; k < argc; k++)
    t.failed += !seeds_add_file(&t.seeds, argv[k]);
  printf("%zu modules, seeds %llu to %llu\n", t.seeds.count, (unsigned long long)t.seed,
         (unsigned long long)(t.seed + t.count - 1));
  for (uint64_t k = 0; k < t.count; k++) {
    t.one = t.seed + k;
    test_one(&t);
  }
  seeds_free(&t.seeds);
  printf("%llu refused, %llu taken, %llu of these draws; runs: %llu ok, %llu skip, %llu deadlock, "
         "%llu limit, %llu "
         "fault\n",
         (unsigned long long)t.try.refused, (unsigned long long)t.try.taken,
         (unsigned long long)t.try.draws, (unsigned long long)t.try.by_outcome[SPV_EMU_RAN],
         (unsigned long long)t.try.by_outcome[SPV_EMU_SKIP],
         (unsigned long long)t.try.by_outcome[SPV_EMU_DEADLOCK],
         (unsigned long long)t.try.by_outcome[SPV_EMU_LIMIT],
         (unsigned long long)t.try.by_outcome[SPV_EMU_FAULT]);
  printf("%llu mutants, %llu failures\n", (unsigned long long)t.count,
         (unsigned long long)t.failed);
  return t.failed != 0;
}
