/* SPDX-License-Identifier: Apache-2.0 */
/* gen: assembles a generated module: the shared world, main, and up to two helpers, each over its
 * own graph. */
#include "tests/equiv/gen/gen.h"

#include "tests/equiv/gen/body.h"
#include "tests/equiv/gen/rich.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Plan {
  GenFamily family;
  GraphOptions graph;
} Plan;

static uint32_t pick_version(World *w) {
  uint32_t minor = rng_percent(&w->rng, 60) ? 6 : rng_percent(&w->rng, 50) ? 5 : 3;
  return 0x10000 | minor << 8;
}

static void write_function(World *w, const Plan *plan, uint32_t blocks, uint32_t function,
                           uint32_t callees, bool is_main, GenModule *out) {
  Graph g;
  graph_make(&g, plan->family, blocks, &w->rng, &plan->graph);
  out->blocks += g.count;
  out->edges += graph_edges(&g);
  for (uint32_t k = 0; k < g.count; k++)
    out->bare += g.block[k].bare;
  body_write(w, &g, function, callees, is_main);
  graph_free(&g);
}

static void write_functions(World *w, const Plan *plan, uint32_t blocks, GenModule *out) {
  uint32_t main = emit_id(&w->m);
  world_entry(w, main);
  world_name(w, main, "main");
  if (!w->plain)
    w->helper_count = w->once ? rng_range(&w->rng, 2, WORLD_MOST_HELPERS)
                              : rng_geometric(&w->rng, 40, WORLD_HELPERS);
  for (uint32_t k = 0; k < w->helper_count; k++)
    w->helper[k] = emit_id(&w->m);
  if (w->calls)
    calls_begin(w);
  if (w->rich.on)
    handed_begin(w);
  write_function(w, plan, blocks, main, 0, true, out);
  for (uint32_t k = 0; k < w->helper_count; k++)
    write_function(w, plan, rng_range(&w->rng, 2, 24), w->helper[k], k + 1, false, out);
  if (w->calls)
    calls_write(w);
  if (w->rich.on)
    handed_write(w);
}

/* Adding a family does not change the modules of the others. */
static uint64_t first_state(GenFamily family, uint64_t seed) {
  enum { STRIDE = 7 };
  return seed * STRIDE + family % STRIDE + ((uint64_t)(family / STRIDE) << 56);
}

void gen_module(GenFamily family, uint32_t blocks, uint64_t seed, const GenOptions *options,
                GenModule *module) {
  memset(module, 0, sizeof *module);
  World w = {.rng = {rng_mix(first_state(family, seed))},
             .plain = options->plain,
             .steers = options->steers && !options->plain,
             .calls = options->calls && !options->plain,
             .once = options->once,
             .effects = options->effects && !options->plain,
             .ballots = options->ballots,
             .sparse = options->sparse,
             .single = options->single,
             .promise = options->promise};
  bool merges = rng_percent(&w.rng, 50);
  if (options->merges >= 0)
    merges = options->merges;
  w.merges = merges && graph_family_is_tree(family);
  w.heavy = !w.plain && rng_percent(&w.rng, 60);
  w.wide = !w.plain && !options->only32 && (rng_percent(&w.rng, 70) || options->rich);
  w.handles = w.wide && options->handles && rng_percent(&w.rng, 50);
  uint32_t version = pick_version(&w);
  w.rich.on = options->rich && !w.plain;
  w.rich.kernel = w.wide && options->rich && options->kernel;
  w.rich.fragment = w.rich.on && options->fragment;
  Plan plan = {family,
               {.plain = w.plain,
                .extras = !w.plain,
                .exit_blocks = options->single,
                .reverse = options->reverse}};
  plan.graph.same_targets = version < 0x10600;
  plan.graph.merges = w.merges;
  world_begin(&w, version, !w.plain && !options->only32);
  write_functions(&w, &plan, blocks, module);
  EmitWords words = emit_end(&w.m);
  free(w.decoration);
  module->words = words.data;
  module->count = words.count;
  module->merges = w.merges;
  module->live = w.live;
  module->twins = w.twins;
  memcpy(module->near, w.near, sizeof w.near);
}

void gen_module_free(GenModule *module) {
  free(module->words);
  memset(module, 0, sizeof *module);
}

GenFamily gen_turn(uint64_t seed) {
  return (GenFamily)((seed + seed / GEN_FAMILIES) % GEN_FAMILIES);
}

void gen_print_families(const uint64_t *count) {
  printf("modules by family:");
  for (int k = 0; k < GEN_FAMILIES; k++)
    if (count[k])
      printf(" %s %llu", graph_family_names[k], (unsigned long long)count[k]);
  putchar('\n');
}

uint32_t gen_size(uint64_t seed, uint32_t lo, uint32_t hi) {
  Rng r = {rng_mix(seed ^ 0x5eed)};
  double u = (double)(rng_next(&r) >> 11) / 9007199254740992.0;
  return (uint32_t)lround(lo * exp(u * log((double)hi / lo)));
}
