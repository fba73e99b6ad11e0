/* pass: see pass.h. The functions here only fit the transforms to the table. */
#include "driver/pass.h"

#include "analysis/cross_lane.h"
#include "analysis/order_list.h"
#include "analysis/reconverging.h"
#include "analysis/structure.h"
#include "analysis/verify.h"
#include "driver/open_tree_dot.h"
#include "transform/block_order.h"
#include "transform/copy/struct_copy.h"
#include "transform/linear/guard.h"
#include "transform/linear/linear_admit.h"
#include "transform/linear/linearize.h"
#include "transform/merge/merge_copies.h"
#include "transform/reconverge/reconverge.h"
#include "transform/strip_merges.h"
#include "transform/structurize/structurize.h"
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

static bool branches(const SrModule *m, SrArena *scratch, const SrFunction *f) {
  (void)m, (void)scratch;
  return f->block_count > 1;
}

/* ---- transforms of one function ---- */

static SrStatus structurize(SrPassRun *r, SrFunction *f, bool *changed) {
  *changed = true;
  return sr_structurize(r->m, f, r->counts);
}

/* For passes that keep nothing else from function to function. */
static const SrBits *cross_lane(SrPassRun *r) {
  if (!r->kept)
    r->kept = sr_cross_lane_functions(r->arena, r->m);
  return r->kept;
}

static SrStatus struct_copy(SrPassRun *r, SrFunction *f, bool *changed) {
  *changed = true;
  return sr_struct_copy(r->m, f, cross_lane(r), r->options.max_growth, r->counts);
}

static SrStatus merge_copies(SrPassRun *r, SrFunction *f, bool *changed) {
  return sr_merge_copies(r->m, f, cross_lane(r), r->counts, changed);
}

/* What reconverge keeps from function to function. */
typedef struct Reconverge {
  const SrUniform *uniform;
  const SrBits *cross_lane;
  SrReconvergeChoice choice;
} Reconverge;

/* An order that may lead to flow blocks where none is needed was asked for on purpose. */
static bool asks_for_order(const char *order) {
  return strcmp(order, "df") == 0 || strcmp(order, "bf") == 0 || strchr(order, '@');
}

enum { LAST_ROUND = 3 };

static SrStatus begin_reconverge(SrPassRun *r, Reconverge **out) {
  Reconverge *k = *out = SR_NEW(r->arena, Reconverge, 1);
  const char *order = r->options.order ? r->options.order : SR_RECONVERGE_ORDER;
  k->choice.best = strcmp(order, "best") == 0;
  k->choice.unconditional = r->round == 0 && asks_for_order(order);
  k->uniform = sr_uniform_build(
      r->arena, r->m, r->round == LAST_ROUND ? SR_UNIFORM_ALL_DIVERGENT : r->options.uniformity,
      r->options.scope);
  k->cross_lane = sr_cross_lane_functions(r->arena, r->m);
  k->choice.barriers = sr_barrier_functions(r->arena, r->m);
  k->choice.given = strchr(order, '@') != NULL;
  r->kept = k;
  return k->choice.best ? SR_OK
                        : sr_order_choose(r->m->diag, r->arena, r->m, order, &k->choice.order);
}

/* Lanes that left a loop in different iterations would meet in a break block, at a cross-lane
 * operation. */
static bool must_stay(SrPassRun *r, const Reconverge *k, const SrFunction *f) {
  uint32_t b = sr_needs_merges(r->m, r->scratch, f, k->cross_lane);
  if (b == SR_NONE || r->round)
    return b != SR_NONE;
  SrWhere where = {
      .function = sr_function_name(r->m, r->scratch, f), .block = f->blocks[b].id, .word = SR_NONE};
  sr_notice(r->m->diag, where,
            "reconverge leaves the function alone: a cross-lane operation in a break or return "
            "block would run with other lanes");
  return true;
}

/* Lanes may meet in other company afterwards, so that a branch is not uniform any more. Then there
 * is another round, for that branch; the last one takes all branches for divergent. */
static SrStatus reconverge(SrPassRun *r, SrFunction *f, bool *changed) {
  Reconverge *k = r->kept;
  if (!k)
    SR_CHECK(begin_reconverge(r, &k));
  if (must_stay(r, k, f))
    return SR_OK;
  const char *best;
  SrOpenDrawing drawing = {.m = r->m,
                           .f = f,
                           .scratch = r->scratch,
                           .drawing = r->options.drawing,
                           .user = r->options.drawing_user};
  k->choice.step = r->options.drawing && r->round == 0 ? sr_open_tree_draw : NULL;
  k->choice.user = &drawing;
  SR_CHECK(sr_reconverge(r->m, r->scratch, f, k->uniform, &k->choice, r->counts, changed, &best));
  if (sr_order_blocks(r->m, r->scratch, f)) /* of a function that is left as it is */
    *changed = true;
  r->again = r->again || (*changed && r->round < LAST_ROUND);
  if (!best)
    return SR_OK;
  *r->best_order = best;
  SrWhere where = {.function = sr_function_name(r->m, r->scratch, f), .word = SR_NONE};
  sr_notice(r->m->diag, where, "the best order is %s: %u flow blocks", best,
            r->counts->flow_blocks);
  return SR_OK;
}

/* What linearize and guard keep from function to function. */
typedef struct Linear {
  const SrBits *cross_lane;
  const SrUniform *uniform; /* linearize */
} Linear;

/* A function that cannot be laid out in one line is structurized, if it is not structured, and
 * *done is set. */
static SrStatus try_linear(SrPassRun *r, SrFunction *f, const char *name, bool *changed,
                           bool *done) {
  if (!r->kept) {
    Linear *l = r->kept = SR_NEW(r->arena, Linear, 1);
    l->cross_lane = sr_cross_lane_functions(r->arena, r->m);
  }
  uint32_t block;
  const char *why = sr_linear_refuses(r->m, r->scratch, f, ((Linear *)r->kept)->cross_lane, &block);
  *done = why;
  if (!why)
    return SR_OK;
  SrWhere where = {.function = sr_function_name(r->m, r->scratch, f),
                   .block = f->blocks[block].id,
                   .word = SR_NONE};
  bool structured = !is_unstructured(r->m, r->scratch, f);
  sr_notice(r->m->diag, where, "%s %s: %s", name,
            structured ? "leaves the function alone" : "only structurizes the function", why);
  return structured ? SR_OK : structurize(r, f, changed);
}

static SrStatus linearize(SrPassRun *r, SrFunction *f, bool *changed) {
  bool done;
  SR_CHECK(try_linear(r, f, "linearize", changed, &done));
  if (done)
    return SR_OK;
  Linear *l = r->kept;
  if (!l->uniform)
    l->uniform = sr_uniform_build(r->arena, r->m, r->options.uniformity, r->options.scope);
  *changed = true;
  return sr_linearize(r->m, f, l->uniform, r->counts);
}

static SrStatus guard(SrPassRun *r, SrFunction *f, bool *changed) {
  bool done;
  SR_CHECK(try_linear(r, f, "guard", changed, &done));
  if (done)
    return SR_OK;
  *changed = true;
  return sr_guard(r->m, f, r->counts);
}

static SrStatus strip_merges(SrPassRun *r, SrFunction *f, bool *changed) {
  return sr_strip_merges(r->m, r->scratch, f, cross_lane(r), changed);
}

/* Another seed for each function, so that equal functions are mangled differently. */
static SrStatus unstructure(SrPassRun *r, SrFunction *f, bool *changed) {
  char *end;
  uint64_t seed = strtoull(r->argument, &end, 10);
  if (*end || end == r->argument)
    return sr_fail(r->m->diag, SR_BAD_OPTION, SR_NOWHERE, "unstructure: '%.40s' is no seed",
                   r->argument);
  seed = (seed << 32) + (uint64_t)(f - r->m->functions);
  return sr_unstructure(r->m, r->scratch, f, cross_lane(r), seed, r->counts, changed);
}

/* ---- the table ---- */

enum { SSA = SR_SSA, STRUCTURED = SR_STRUCTURED, LOOSE = SR_LOOSE, FOLDS = SR_FOLDS };

static const SrPass passes[] = {
#define SR_PASS(name, applies, run, needs, makes, keeps, compare, argument, purpose)               \
  {name, applies, run, needs, makes, keeps, SR_COMPARE_##compare, argument, purpose},
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
