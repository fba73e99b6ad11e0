/* test_emu_mutate: damaged modules in the emulator. Whatever comes in, the answer is a program or
 * one line that says what is wrong with it; and whatever is taken runs under every policy to a
 * result, or one line: no crash, no hang.
 *
 *   test_emu_mutate --count=3000 --seed=1 [FILE.spv|FILE.spvasm...]
 *
 * Seed modules are the files named and modules of every family of the generator, with ballots and
 * without. One mutant in four is damaged like a file (mutate.h), the others so that they often
 * stay valid (mutate_valid.h). Buffers and images are few, small and not all bound. */
#include "guard.h"
#include "mutate.h"
#include "mutate_valid.h"
#include "seeds.h"

#include <getopt.h>
#include <spv-emu/spv_emu.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { GENERATED = 28, MAX_BOUND = 16, OUTCOMES = SPV_EMU_FAULT + 1 };

typedef struct Test {
  Seeds seeds;
  uint64_t count, seed, one; /* one: the mutant at hand */
  uint64_t taken, refused, failed, runs, by_outcome[OUTCOMES];
} Test;

static void fail(Test *t, const char *policy, const char *what, const char *message) {
  printf("FAIL --seed=%llu --count=1, %s: %s: %s\n", (unsigned long long)t->one, policy, what,
         message);
  fflush(stdout);
  t->failed++;
}

static bool is_line(const char *message) {
  return *message && !strchr(message, '\n');
}

/* ---- what is bound --------------------------------------------------------------------------- */

typedef struct World {
  spv_emu_buffer buffers[MAX_BOUND];
  spv_emu_image images[MAX_BOUND];
  spv_emu_sampler samplers[MAX_BOUND];
  uint32_t buffer_count, image_count;
} World;

static void *random_bytes(Rng *rng, uint64_t size) {
  uint8_t *bytes = emit_resize(NULL, size ? size : 1);
  for (uint64_t i = 0; i < size; i++)
    bytes[i] = (uint8_t)(rng_percent(rng, 50) ? rng_next(rng) : 0);
  return bytes;
}

static void add_buffer(World *w, Rng *rng, const spv_emu_binding *b, uint32_t element) {
  if (w->buffer_count == MAX_BOUND)
    return;
  uint64_t size = rng_below(rng, rng_percent(rng, 50) ? 1024 : 20);
  w->buffers[w->buffer_count++] =
      (spv_emu_buffer){b->set, b->binding, element, random_bytes(rng, size), size};
}

static void add_image(World *w, Rng *rng, const spv_emu_binding *b, uint32_t element) {
  static const uint32_t formats[][2] = {{37, 4}, {98, 4}, {100, 4}, {109, 16}, {107, 16}};
  const uint32_t *format = formats[rng_below(rng, sizeof formats / sizeof *formats)];
  if (w->image_count == MAX_BOUND)
    return;
  spv_emu_image i = {.set = b->set, .binding = b->binding, .element = element};
  i.format = format[0];
  i.width = 1 + rng_below(rng, 5);
  i.height = 1 + rng_below(rng, 5);
  i.depth = 1 + rng_below(rng, 2);
  i.layers = rng_percent(rng, 50) ? 1 : 6;
  i.levels = i.samples = 1;
  i.size = (uint64_t)format[1] * i.width * i.height * i.depth * i.layers;
  i.bytes = random_bytes(rng, i.size);
  spv_emu_sampler s = {.set = b->set, .binding = b->binding, .element = element};
  s.mag_filter = s.min_filter = rng_below(rng, 2);
  s.address_mode[0] = s.address_mode[1] = s.address_mode[2] = rng_below(rng, 5);
  w->images[w->image_count] = i;
  w->samplers[w->image_count++] = s;
}

static void bind_some(World *w, Rng *rng, const spv_emu_program *program) {
  uint32_t count;
  const spv_emu_binding *b = spv_emu_bindings(program, &count);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < (b[i].count == 1 ? 1 : 3); k++)
      if (rng_percent(rng, 85))
        (b[i].image ? add_image : add_buffer)(w, rng, &b[i], k);
}

static void unbind(World *w) {
  for (uint32_t i = 0; i < w->buffer_count; i++)
    free(w->buffers[i].bytes);
  for (uint32_t i = 0; i < w->image_count; i++)
    free(w->images[i].bytes);
}

/* ---- running --------------------------------------------------------------------------------- */

static void judge(Test *t, const char *policy, const spv_emu_program *program,
                  const spv_emu_result *r) {
  if ((uint32_t)r->outcome >= OUTCOMES) {
    fail(t, policy, "no outcome", r->message);
    return;
  }
  t->by_outcome[r->outcome]++;
  bool silent = r->outcome == SPV_EMU_RAN && !r->message[0];
  if (!silent && !is_line(r->message))
    fail(t, policy, "not a message of one line", r->message);
  if (t->one % 8 == 0) {
    char *listing = spv_emu_annotate(program, r);
    if (!listing)
      fail(t, policy, "no listing", "");
    free(listing);
  }
}

/* Now and then cycles are counted, and loads wait. */
static const spv_emu_cost *random_cost(Rng *rng, spv_emu_cost *cost) {
  const char *purpose;
  if (rng_percent(rng, 70))
    return NULL;
  spv_emu_cost_find(spv_emu_cost_model(rng_below(rng, 4), &purpose), cost);
  cost->entries = rng_below(rng, 5);
  cost->subgroups = rng_percent(rng, 50) ? 1 + rng_below(rng, 5) : 0;
  cost->cache = rng_percent(rng, 50) ? 1 + rng_below(rng, 9) : 0;
  cost->classes[rng_below(rng, SPV_EMU_COST_CLASSES)] = rng_below(rng, 1001);
  return cost;
}

static void run(Test *t, Rng rng, const spv_emu_program *program, const char *policy) {
  World w = {0};
  bind_some(&w, &rng, program);
  uint32_t push_bytes = spv_emu_push_constant_bytes(program);
  push_bytes = push_bytes < 128 ? push_bytes : 128;
  void *push = random_bytes(&rng, push_bytes);
  spv_emu_cost cost;
  spv_emu_run_options options = {.policy = policy,
                                 .groups = {1 + rng_below(&rng, 2), 1 + rng_below(&rng, 2), 1},
                                 .buffers = w.buffers,
                                 .buffer_count = w.buffer_count,
                                 .images = w.images,
                                 .image_count = w.image_count,
                                 .samplers = w.samplers,
                                 .sampler_count = w.image_count,
                                 .push_constants = push,
                                 .push_constant_bytes = push_bytes,
                                 .max_issues = rng_percent(&rng, 10) ? 20000 : 2000,
                                 .threads = rng_percent(&rng, 5) ? 2 : 1,
                                 .opt_budget = 500,
                                 .strict = rng_percent(&rng, 20),
                                 .cost = random_cost(&rng, &cost)};
  spv_emu_result *result;
  char message[512];
  t->runs++;
  if (spv_emu_run(program, &options, &result, message, sizeof message) == SPV_EMU_OK)
    judge(t, policy, program, result);
  else if (!is_line(message))
    fail(t, policy, "not a message of one line", message);
  spv_emu_result_free(result);
  free(push);
  unbind(&w);
}

static void load_and_run(Test *t, Rng *rng, const uint32_t *words, size_t count) {
  static const uint32_t sizes[] = {1, 4, 32, 100};
  spv_emu_spec specs[3];
  for (uint32_t i = 0; i < 3; i++)
    specs[i] =
        (spv_emu_spec){.id = i, .bits = rng_percent(rng, 70) ? rng_below(rng, 9) : rng_next(rng)};
  spv_emu_load_options options = {.specs = specs,
                                  .spec_count = rng_percent(rng, 30) ? 3 : 0,
                                  .subgroup_size = sizes[rng_below(rng, 4)],
                                  .transform =
                                      rng_percent(rng, 20) ? "strip-merges,structurize" : NULL};
  spv_emu_program *program;
  char message[512];
  if (spv_emu_load(words, count, &options, &program, message, sizeof message) != SPV_EMU_OK) {
    t->refused++;
    if (!is_line(message))
      fail(t, "loading", "not a message of one line", message);
    return;
  }
  t->taken++;
  const char *policy, *purpose;
  for (uint32_t i = 0; (policy = spv_emu_policy(i, &purpose)) != NULL; i++)
    run(t, *rng, program, policy);
  spv_emu_free(program);
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
  load_and_run(t, &rng, out, count);
  guard_end();
  free(out);
}

/* ---- all of them ----------------------------------------------------------------------------- */

int main(int argc, char **argv) {
  Test t = {.count = 3000, .seed = 1};
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
  printf("%llu refused, %llu taken; runs: %llu ok, %llu skip, %llu deadlock, %llu limit, %llu "
         "fault\n",
         (unsigned long long)t.refused, (unsigned long long)t.taken,
         (unsigned long long)t.by_outcome[SPV_EMU_RAN],
         (unsigned long long)t.by_outcome[SPV_EMU_SKIP],
         (unsigned long long)t.by_outcome[SPV_EMU_DEADLOCK],
         (unsigned long long)t.by_outcome[SPV_EMU_LIMIT],
         (unsigned long long)t.by_outcome[SPV_EMU_FAULT]);
  printf("%llu mutants, %llu failures\n", (unsigned long long)t.count,
         (unsigned long long)t.failed);
  return t.failed != 0;
}
