/* pass: see pass.h. The functions here only fit the transforms to the table. */
#include "driver/pass.h"

#include "analysis/cross_lane.h"
#include "analysis/reconverging.h"
#include "analysis/structure.h"
#include "analysis/verify.h"
#include "transform/merge_copies.h"
#include "transform/strip_merges.h"
#include "transform/struct_copy.h"
#include "transform/structurize.h"
#include "transform/unstructure.h"

#include <stdlib.h>

/* ---- does a pass apply? ---- */

static bool never(const SrModule *m, SrArena *scratch, const SrFunction *f) {
  (void)m, (void)scratch, (void)f;
  return false;
}

/* Blocks in a wrong order count as unstructured: structurize lays them out anew. */
static bool is_unstructured(const SrModule *m, SrArena *scratch, const SrFunction *f) {
  return !sr_is_structured(scratch, m, f) || !sr_blocks_in_order(m, scratch, f);
}

static bool must_be_structured(const SrModule *m, SrArena *scratch, const SrFunction *f) {
  return m->shader && is_unstructured(m, scratch, f);
}

static bool always(const SrModule *m, SrArena *scratch, const SrFunction *f) {
  (void)m, (void)scratch, (void)f;
  return true;
}

static bool has_merges(const SrModule *m, SrArena *scratch, const SrFunction *f) {
  (void)scratch;
  for (uint32_t b = 0; b < f->block_count; b++)
    if (sr_merge_inst(m, &f->blocks[b]) != SR_NONE)
      return true;
  return false;
}

/* ---- transforms of one function ---- */

static SrStatus structurize(SrPassRun *r, SrFunction *f, bool *changed) {
  *changed = true;
  return sr_structurize(r->m, f, r->counts);
}

static SrStatus struct_copy(SrPassRun *r, SrFunction *f, bool *changed) {
  if (!r->kept)
    r->kept = sr_cross_lane_functions(r->arena, r->m);
  *changed = true;
  return sr_struct_copy(r->m, f, r->kept, r->max_growth, r->counts);
}

static SrStatus merge_copies(SrPassRun *r, SrFunction *f, bool *changed) {
  if (!r->kept)
    r->kept = sr_cross_lane_functions(r->arena, r->m);
  return sr_merge_copies(r->m, f, r->kept, r->counts, changed);
}

static SrStatus strip_merges(SrPassRun *r, SrFunction *f, bool *changed) {
  if (!r->kept)
    r->kept = sr_cross_lane_functions(r->arena, r->m);
  return sr_strip_merges(r->m, r->scratch, f, r->kept, changed);
}

/* Another seed for each function, so that equal functions are mangled differently. */
static SrStatus unstructure(SrPassRun *r, SrFunction *f, bool *changed) {
  if (!r->kept)
    r->kept = sr_cross_lane_functions(r->arena, r->m);
  char *end;
  uint64_t seed = strtoull(r->argument, &end, 10);
  if (*end || end == r->argument)
    return sr_fail(r->m->diag, SR_BAD_OPTION, SR_NOWHERE, "unstructure: '%.40s' is no seed",
                   r->argument);
  seed = (seed << 32) + (uint64_t)(f - r->m->functions);
  return sr_unstructure(r->m, r->scratch, f, r->kept, seed, r->counts, changed);
}

/* ---- the table ---- */

enum { SSA = SR_SSA, STRUCTURED = SR_STRUCTURED };

static const SrPass passes[] = {
#define SR_PASS(name, applies, run, needs, makes, keeps, argument, purpose)                        \
  {name, applies, run, needs, makes, keeps, argument, purpose},
#include "driver/pass.def"
#undef SR_PASS
};

const SrPass *sr_pass_at(size_t index) {
  return index < sizeof passes / sizeof *passes ? &passes[index] : NULL;
}

const SrPass *sr_pass_find(const char *name, size_t length) {
  for (size_t i = 0; i < sizeof passes / sizeof *passes; i++)
    if (strlen(passes[i].name) == length && memcmp(passes[i].name, name, length) == 0)
      return &passes[i];
  return NULL;
}

/* ---- properties ---- */

static SrStatus confirm_structure(const SrModule *m, SrArena *scratch, const SrFunction *f) {
  SrViolations found = {0};
  if (sr_structure_check(scratch, m, f, 1, &found) == 0)
    return SR_OK;
  SrWhere where = {.function = sr_function_name(m, scratch, f), .word = SR_NONE};
  return sr_fail(m->diag, SR_BAD_INPUT, where, "not structured: %s", found.at[0].text);
}

SrStatus sr_confirm(const SrModule *m, SrArena *scratch, const SrFunction *f, unsigned properties,
                    bool ours) {
  SrMark mark = sr_arena_mark(scratch);
  SrStatus status = SR_OK;
  if (properties & SR_SSA)
    status = sr_verify_ssa(m, scratch, f);
  if (status == SR_OK && properties & SR_STRUCTURED)
    status = confirm_structure(m, scratch, f);
  sr_arena_reset(scratch, mark);
  if (status == SR_BAD_INPUT && ours)
    status = m->diag->status = SR_BUG;
  return status;
}
