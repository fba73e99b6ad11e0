/* SPDX-License-Identifier: Apache-2.0 */
/* pair_outputs: see pair_outputs.h. A buffer that only one of the modules declares keeps its
 * initial contents when the other one runs. */
#include "harness/pairs/pair_outputs.h"

#include "harness/backend/compare.h"
#include "harness/trial/numbers.h"
#include "spv-emu/format/format_number.h"
#include "spv-emu/format/ulps.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void hn_pair_keep_outputs(HnPairModule *m, const EmuRow *row) {
  m->after = hn_trial_outputs(&m->contents.options, row);
}

/* ---- numbers that differ --------------------------------------------------------------------- */

typedef struct Compare {
  const HnPairsOptions *options;
  const HnPairModule *modules; /* old, new */
  HnPair *pair;
  const EmuBareBuffer *buffer; /* a buffer of either module */
  const spv_emu_binding *binding;
  uint32_t old_index; /* index of the buffer in the old module; UINT32_MAX: only the new module has
                         it */
  const uint8_t *values[2]; /* its bytes after the old and the new module ran */
  const HnTrial *trial;     /* trial of the old module; NULL: only look for a difference */
  bool differs;
} Compare;

/* Do all runs of the old module give the same bits? */
static bool is_steady(const Compare *c, const EmuField *field, uint64_t at) {
  const HnTrial *t = c->trial;
  if (t->races || *t->why)
    return false;
  if (c->old_index == UINT32_MAX)
    return true;
  const uint8_t *first = t->after[0][c->old_index];
  for (int run = 1; run < HN_TRIAL_RUNS; run++) {
    const uint8_t *other = t->after[run] ? t->after[run][c->old_index] : NULL;
    if (first && other && memcmp(first + at, other + at, field->unit) != 0)
      return false;
  }
  return true;
}

static void describe(const Compare *c, const EmuField *field, uint64_t at) {
  char old[64], new[64], units[48] = "";
  const char *name = c->binding->shape->name;
  const uint8_t *x = c->values[0] + at, *y = c->values[1] + at;
  uint64_t ulps = emu_ulps_between(field, x, y);
  emu_number_print(field, emu_field_get(field, x), old, sizeof old);
  emu_number_print(field, emu_field_get(field, y), new, sizeof new);
  if (ulps != UINT64_MAX)
    snprintf(units, sizeof units, ", %" PRIu64 " ulps apart", ulps);
  snprintf(c->pair->first, sizeof c->pair->first,
           "buffer %u:%u%s%.60s%s, byte %" PRIu64 ": %s -> %s%s", c->binding->set,
           c->binding->binding, *name ? " (" : "", name, *name ? ")" : "", at, old, new, units);
}

static void compare_number(void *user, const EmuField *field, uint64_t at) {
  Compare *c = user;
  if (emu_ulps_between(field, c->values[0] + at, c->values[1] + at) <= c->options->ulps)
    return;
  c->differs = true;
  if (!c->trial)
    return;
  if (!is_steady(c, field, at)) {
    c->pair->doubtful++;
    return;
  }
  if (!c->pair->wrong++)
    describe(c, field, at);
}

/* ---- buffers --------------------------------------------------------------------------------- */

static const spv_emu_binding *binding_of(const HnPairModule *m, const EmuBareBuffer *b) {
  uint32_t count;
  const spv_emu_binding *all = spv_emu_bindings(m->program, &count);
  for (uint32_t i = 0; i < count; i++)
    if (all[i].set == b->place.set && all[i].binding == b->place.binding)
      return &all[i];
  return NULL;
}

static uint32_t find_buffer(const HnPairModule *m, const EmuBareBuffer *wanted) {
  return emu_bare_find_buffer(&m->contents.options, wanted->place.set, wanted->place.binding,
                              wanted->element);
}

static const uint8_t *values_of(const HnPairModule *m, const EmuBareBuffer *b) {
  uint32_t at = find_buffer(m, b);
  return at != UINT32_MAX && m->after[at] ? m->after[at] : b->values.bytes;
}

/* Compares a buffer of module `of`. */
static void compare_buffer(Compare *c, int of, const EmuBareBuffer *b) {
  const spv_emu_binding *binding = binding_of(&c->modules[of], b);
  const spv_emu_binding *other = binding_of(&c->modules[!of], b);
  if (!binding || !(binding->written || (other && other->written)))
    return;
  c->binding = binding;
  c->old_index = find_buffer(&c->modules[0], b);
  c->values[0] = values_of(&c->modules[0], b);
  c->values[1] = values_of(&c->modules[1], b);
  const EmuTypedNumbers numbers = {binding->shape, &b->values.layout, b->values.size};
  emu_typed_numbers_visit(&numbers, compare_number, c);
}

/* Compares all buffers of the old module, and those that only the new one has. */
static void compare_all(Compare *c) {
  for (int of = 0; of < 2; of++) {
    const EmuBareOptions *o = &c->modules[of].contents.options;
    for (uint32_t i = 0; i < o->buffer_count; i++)
      if (!of || find_buffer(&c->modules[0], &o->buffers[i]) == UINT32_MAX)
        compare_buffer(c, of, &o->buffers[i]);
  }
}

void hn_pair_compare_outputs(const HnPairsOptions *options, HnPairModule modules[2], HnPair *pair,
                             bool *races) {
  const HnTrialHow how = {0};
  Compare c = {.options = options, .modules = modules, .pair = pair};
  HnTrial trial;
  char message[sizeof trial.why];
  *races = false;
  pair->wrong = pair->doubtful = 0;
  if (!modules[0].after || !modules[1].after)
    return;
  compare_all(&c);
  if (c.differs) {
    if (!hn_trial_run(&modules[0].module, NULL, &modules[0].contents.options, &how, &trial, message,
                      sizeof message))
      snprintf(trial.why, sizeof trial.why, "%s", message);
    c.trial = &trial;
    compare_all(&c);
    *races = trial.races != 0;
    hn_trial_free(&trial);
  }
  pair->compared = true;
}

void hn_pair_drop_contents(HnPairModule *m) {
  for (uint32_t i = 0; m->after && i < m->contents.options.buffer_count; i++)
    free(m->after[i]);
  free(m->after);
  m->after = NULL;
  emu_contents_free(&m->contents);
}

void hn_pair_module_free(HnPairModule *m) {
  hn_pair_drop_contents(m);
  hn_trial_module_free(&m->module);
}
