/* SPDX-License-Identifier: Apache-2.0 */
/* run: see run.h. */
#include "tests/equiv/policies/run.h"

#include "tests/equiv/gen/rng.h"

#include <spirv/unified1/spirv.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

Sums run_sums;

void run_fail(const Case *c, const char *format, ...) {
  va_list list;
  va_start(list, format);
  fprintf(stderr, "seed %llu, family %s%s%s: ", (unsigned long long)c->seed,
          graph_family_names[c->family], c->after ? ", output of " : "", c->after ? c->after : "");
  vfprintf(stderr, format, list);
  fputc('\n', stderr);
  va_end(list);
  FILE *file = c->keep ? fopen(c->keep, "wb") : NULL;
  if (file && fwrite(c->words, sizeof *c->words, c->count, file) != c->count)
    perror(c->keep);
  exit(1);
}

void run_random_memory(Memory *m, uint64_t seed) {
  Rng r = {seed};
  uint32_t *words = (uint32_t *)(void *)m;
  for (size_t i = 0; i < sizeof *m / sizeof *words; i++)
    words[i] = (uint32_t)rng_next(&r);
}

/* All modules have one OpExecutionMode LocalSize. */
static void set_local_size(uint32_t *words, size_t count, uint32_t size) {
  for (size_t at = 5; at < count; at += words[at] >> 16)
    if ((words[at] & 0xffff) == SpvOpExecutionMode && words[at + 2] == SpvExecutionModeLocalSize)
      words[at + 3] = size;
}

spv_emu_program *run_load(const Case *c, uint32_t lanes, const char *transform) {
  const spv_emu_load_options options = {
      .subgroup_size = lanes, .transform = transform, .check_uniform = true};
  char message[512];
  spv_emu_program *program;
  set_local_size(c->words, c->count, c->invocations);
  if (spv_emu_load(c->words, c->count, &options, &program, message, sizeof message) != SPV_EMU_OK)
    run_fail(c, "loading, %u lanes, transform %s: %s", lanes, transform ? transform : "none",
             message);
  return program;
}

/* The sums of a reported schedule, which must match the figures of the result. */
typedef struct Told {
  uint64_t issued, lane_instructions;
  uint32_t words; /* of a set of lanes */
} Told;

static void begin_schedule(void *user, const spv_emu_program *program, uint32_t lanes) {
  (void)program;
  ((Told *)user)->words = (lanes + 63) / 64;
}

static void add_told(void *user, uint64_t subgroup, uint32_t part, uint32_t count,
                     const uint64_t *lanes) {
  (void)subgroup, (void)part;
  Told *told = user;
  told->issued += count;
  for (uint32_t i = 0; i < told->words; i++)
    told->lane_instructions += (uint64_t)__builtin_popcountll(lanes[i]) * count;
}

static void check_told(const Case *c, const spv_emu_result *r, const Told *told) {
  if (r->outcome == SPV_EMU_RAN && strcmp(r->policy, "opt") != 0 &&
      (told->issued != r->issued || told->lane_instructions != r->lane_instructions))
    run_fail(c, "policy %s: the schedule has %llu issues, the result %llu", r->policy,
             (unsigned long long)told->issued, (unsigned long long)r->issued);
}

enum { IMAGES = 6, SIDE = 4, VK_FORMAT_R32G32B32A32_SFLOAT = 109 };

/* Texels of the images that modules with handles declare: one, an array of four, and one with its
 * sampler. */
static void bind_images(spv_emu_image *image, float *texels) {
  for (uint32_t k = 0; k < IMAGES; k++) {
    bool element = k > 0 && k < IMAGES - 1;
    image[k] = (spv_emu_image){.binding = element ? 4
                                          : k     ? 6
                                                  : 3,
                               .element = element ? k - 1 : 0,
                               .format = VK_FORMAT_R32G32B32A32_SFLOAT,
                               .width = SIDE,
                               .height = SIDE,
                               .depth = 1,
                               .layers = 1,
                               .levels = 1,
                               .samples = 1,
                               .bytes = texels + k * SIDE * SIDE * 4,
                               .size = SIDE * SIDE * 4 * sizeof *texels};
  }
  for (uint32_t k = 0; k < IMAGES * SIDE * SIDE * 4; k++)
    texels[k] = (float)((k * 37 + k / 16) % 256);
}

Outcome run_with(const Case *c, const spv_emu_program *program, const char *policy, RunHow how) {
  Outcome o = {.memory = *c->start};
  Memory *m = &o.memory;
  spv_emu_buffer buffers[] = {{0, 0, 0, m->in, sizeof m->in},
                              {0, 1, 0, m->out, (uint64_t)c->invocations * RECORD_BYTES},
                              {0, 2, 0, m->uniform, sizeof m->uniform},
                              {0, 3, 0, m->push, sizeof m->push}};
  float texels[IMAGES * SIDE * SIDE * 4];
  spv_emu_image images[IMAGES];
  const spv_emu_sampler samplers[] = {{.binding = 5, .max_lod = 1000},
                                      {.binding = 6, .max_lod = 1000}};
  bind_images(images, texels);
  const spv_emu_choice choices[] = {
      {"--wave", how.listing},        {"--lowering", how.lowering},
      {"--barriers", how.barriers},   {"--barrier-placement", how.placement},
      {"--dwf-order", how.dwf_order}, {"--barrier-scheduling", how.scheduling}};
  spv_emu_run_options options = {.policy = policy,
                                 .groups = {1, 1, 1},
                                 .buffers = buffers,
                                 .buffer_count = c->kernel ? 4 : 3,
                                 .images = images,
                                 .image_count = IMAGES,
                                 .samplers = samplers,
                                 .sampler_count = 2,
                                 .push_constants = m->push,
                                 .push_constant_bytes = sizeof m->push,
                                 .opt_budget = 2000,
                                 .max_issues = how.max_issues,
                                 .native = how.native,
                                 .cost = how.cost,
                                 .orders = how.order,
                                 .order_count = how.order != NULL,
                                 .choices = choices,
                                 .choice_count = sizeof choices / sizeof *choices,
                                 .list = how.placement && c->seed % 4 == 0};
  Told told = {0};
  const spv_emu_schedule schedule = {
      .user = &told, .subgroups = UINT64_MAX, .begun = begin_schedule, .issued = add_told};
  if (c->seed % 2) /* without callbacks the executor takes shortcuts */
    options.schedule = &schedule;
  char message[512];
  if (spv_emu_run(program, &options, &o.result, message, sizeof message) != SPV_EMU_OK)
    run_fail(c, "policy %s: %s", policy, message);
  bool may_skip = strcmp(policy, "exec") == 0 || strcmp(policy, "ssy") == 0;
  bool skips = may_skip && o.result->outcome == SPV_EMU_SKIP;
  if (how.max_issues && o.result->outcome != SPV_EMU_RAN)
    return o;
  if (o.result->outcome != SPV_EMU_RAN && !skips)
    run_fail(c, "policy %s%s%s %s, %u lanes: %s", policy, how.placement ? " " : "",
             how.placement ? how.placement : "", how.scheduling ? how.scheduling : "lifo",
             o.result->subgroup_size, o.result->message);
  if (options.schedule)
    check_told(c, o.result, &told);
  run_sums.runs++;
  return o;
}

void run_end(Outcome *o) {
  spv_emu_result_free(o->result);
  free(o);
}

const Outcome *run_find(const Outcome *outcomes, uint32_t count, const char *policy) {
  for (uint32_t i = 0; i < count; i++)
    if (run_is(outcomes[i].result->policy, policy))
      return &outcomes[i];
  return NULL;
}

bool run_regroups(const char *policy) {
  return strcmp(policy, "dwf") == 0 || strncmp(policy, "tbc", 3) == 0;
}

void run_same_memory(const Case *c, const char *what, const Memory *a, const Memory *b) {
  for (uint32_t i = 0; i < c->invocations * RECORD_BYTES; i++)
    if (a->out[i] != b->out[i])
      run_fail(c, "%s: byte %u of record %u differs", what, i % RECORD_BYTES, i / RECORD_BYTES);
}

void run_same_blocks(const Case *c, const spv_emu_result *a, const spv_emu_result *b) {
  for (uint32_t i = 0; i < a->block_count; i++)
    if (a->blocks[i].executions != b->blocks[i].executions ||
        a->blocks[i].lanes != b->blocks[i].lanes)
      run_fail(c, "%u lanes, block %%%u: %s runs it %llu times with %llu lanes, %s %llu with %llu",
               a->subgroup_size, a->blocks[i].id, a->policy,
               (unsigned long long)a->blocks[i].executions, (unsigned long long)a->blocks[i].lanes,
               b->policy, (unsigned long long)b->blocks[i].executions,
               (unsigned long long)b->blocks[i].lanes);
}

void run_like_pdom(const Case *c, const spv_emu_result *r, const spv_emu_result *pdom) {
  run_same_blocks(c, r, pdom);
  if (r->reconvergences != pdom->reconvergences ||
      r->divergent_branches != pdom->divergent_branches)
    run_fail(c, "%s has %llu reconvergences, %llu divergent branches, pdom %llu, %llu", r->policy,
             (unsigned long long)r->reconvergences, (unsigned long long)r->divergent_branches,
             (unsigned long long)pdom->reconvergences,
             (unsigned long long)pdom->divergent_branches);
  if (r->issued - r->overhead != pdom->issued - pdom->overhead)
    run_fail(c, "%s issues %llu, %llu of it overhead; pdom %llu, %llu", r->policy,
             (unsigned long long)r->issued, (unsigned long long)r->overhead,
             (unsigned long long)pdom->issued, (unsigned long long)pdom->overhead);
}
