/* SPDX-License-Identifier: Apache-2.0 */
/* check: see check.h. Functions are compared one by one; functions with the same words are equal,
 * since ids at module level mean the same on both sides. */
#include "passes/check/check.h"

#include "passes/base/text.h"
#include "passes/check/check_expand.h"
#include "passes/check/check_explain.h"
#include "passes/check/check_steer.h"
#include "passes/ir/hint.h"
#include "passes/ir/reader.h"
#include "passes/walk/walk_passed.h"

#include <stdio.h>
#include <string.h>

enum {
  VISITS_PER_BLOCK = 30, /* a function's budget, per block: blocks entered in the input */
  LEAST_VISITS = 60000,
  /* The search ends after this many walks in a row that cover nothing new, if these have entered
   * at least IDLE_VISITS blocks. (Short walks cost little.) */
  MOST_IDLE_WALKS = 32,
  IDLE_VISITS = 2000,
  LEAST_WALKS = 4,
  LEAST_SCOUTS = 100,  /* walks that aim at the output */
  DOUBTFUL_WALKS = 96, /* least number of walks if an instruction has other operands, because a
                        * boolean computed from wrong operands is right on every second walk */
  MOST_SPARSE = 5,     /* a walk aims at one in 2^5 open edges, or at more of them */
  AIMLESS_FROM = 4, /* from this idle walk on, every AIMLESS_EVERY-th follows the drawn numbers */
  AIMLESS_EVERY = 3,
  OFTEN_FROM = 12,
  OFTEN_EVERY = 8,
  LAPS_EVERY = 4,      /* from idle walk OFTEN_FROM on, every 4th goes around a cycle, */
  SPARSE_LAPS = 3,     /* and such a walk aims at one in 1, 2 or 4 edges */
  COMPUTED_EVERY = 8,  /* every 8th walk computes all comparisons, */
  SCOUTS_COMPUTED = 3, /* and every third of those that aim at the output */
  MOST_STORIES = 3     /* differences reported in full */
};

typedef struct Check {
  SrArena *out;     /* texts */
  SrArena *scratch; /* for one function */
  SrWalkModule before, after;
  uint32_t *inst_of[2]; /* by id of either module */
  uint32_t *fact;       /* by id of either module: for sr_check_live */
  SrWalkDraw draw;
  uint32_t own_from; /* ids from here on were made by transforms, or for copies (check_expand.h) */
  const SrModule *given;   /* the input as given; `before` may have functions in place of calls */
  uint32_t *function_with; /* by label of `given`: its function */
  SrCheckExpanded expanded;
  uint32_t copy; /* in `expanded`: the first copy of the current function */
  const SrCheckOptions *options;
  SrCheckReport *report;
  SrText text;
} Check;

/* ---- words ---- */

/* The first instruction from r on that is not a debug line, or SR_NONE. */
static SrRef next_of_interest(const SrModule *m, SrRef r) {
  while (r != SR_NONE && sr_is_debug_line(sr_inst(m, r)))
    r = sr_inst(m, r)->next;
  return r;
}

static bool same_list(const SrModule *a, SrList x, const SrModule *b, SrList y) {
  SrRef r = next_of_interest(a, x.first), s = next_of_interest(b, y.first);
  while (r != SR_NONE && s != SR_NONE) {
    uint32_t count = sr_word_count(a, r);
    if (count != sr_word_count(b, s) ||
        memcmp(sr_words(a, r), sr_words(b, s), count * sizeof(uint32_t)) != 0)
      return false;
    r = next_of_interest(a, sr_inst(a, r)->next);
    s = next_of_interest(b, sr_inst(b, s)->next);
  }
  return r == s;
}

static bool same_function(const SrModule *a, const SrFunction *f, const SrModule *b,
                          const SrFunction *g) {
  if (f->block_count != g->block_count || !same_list(a, f->head, b, g->head))
    return false;
  for (uint32_t i = 0; i < f->block_count; i++)
    if (!same_list(a, f->blocks[i].list, b, g->blocks[i].list))
      return false;
  return true;
}

/* ---- differences ---- */

static void tell(Check *k, const char *line, const char *story) {
  SrCheckReport *r = k->report;
  if (r->differences == 0)
    r->first = sr_strndup(k->out, line, strlen(line));
  else if (r->differences < MOST_STORIES)
    sr_text_add(&k->text, "%s\n", line);
  if (r->differences++ < MOST_STORIES)
    sr_text_put(&k->text, story, strlen(story));
}

static void tell_line(Check *k, const char *line) {
  tell(k, line, "");
}

/* The instruction of the input that has the id of `y`; NULL if the id is new, or belonged to
 * another function. */
static const SrWalkInst *with_id(const SrWalkCode *a, const SrWalkInst *y) {
  if (!y->result || y->result >= sr_bound(a->c->m))
    return NULL;
  uint32_t i = a->inst_of[y->result];
  return i < a->inst.count && a->inst.at[i].result == y->result ? &a->inst.at[i] : NULL;
}

/* Checks what needs no walk: an instruction that kept its id is still the same one. */
static bool same_instructions(Check *k, const SrWalkCode *a, const SrWalkCode *b) {
  for (uint32_t i = 0; i < b->inst.count; i++) {
    const SrWalkInst *y = &b->inst.at[i];
    const SrWalkInst *x = with_id(a, y);
    if (!x)
      continue;
    const char *what =
        x->hash != y->hash || x->kind != y->kind || x->count != y->count
            ? "is a different instruction, or has a different type, literal or decoration"
        : x->nonuniform & ~y->nonuniform ? "has an operand that lost NonUniform"
                                         : NULL;
    if (!what)
      continue;
    SrText t = {.arena = k->scratch};
    sr_text_add(&t, "function %s: the output differs from the input: %%%u %s",
                sr_function_name(a->c->m, k->scratch, a->f), y->result, what);
    sr_check_put_place(&t, a->c->m, x->source);
    tell_line(k, sr_text_end(&t));
    return false;
  }
  return true;
}

/* Does the output use id y where the input uses id x, although the output still has x? That is
 * right if both hold the same value, which walks must show. */
static bool other_id(const Check *k, const SrWalkCode *b, uint32_t x, uint32_t y) {
  return x != y && y < k->own_from && sr_def(b->c->m, x) != SR_NONE;
}

static bool other_operands(const Check *k, const SrWalkCode *a, const SrWalkCode *b) {
  for (uint32_t n = 0; n < b->inst.count; n++) {
    const SrWalkInst *y = &b->inst.at[n], *x = with_id(a, y);
    for (uint32_t i = 0; x && i < x->count; i++)
      if (other_id(k, b, a->operand.at[x->operand + i], b->operand.at[y->operand + i]))
        return true;
  }
  return false;
}

/* The same for phis: compares the operands of parents that both phis have in the same place. */
static bool other_phi(const Check *k, const SrWalkCode *a, SrRef before, const SrWalkCode *b,
                      SrRef after) {
  const uint32_t *x = sr_words(a->c->m, before), *y = sr_words(b->c->m, after);
  uint32_t count = x[0] >> 16 < y[0] >> 16 ? x[0] >> 16 : y[0] >> 16;
  for (uint32_t i = 3; i + 1 < count; i += 2)
    if (x[i + 1] == y[i + 1] && other_id(k, b, x[i], y[i]))
      return true;
  return false;
}

static bool other_phis(const Check *k, const SrWalkCode *a, const SrWalkCode *b) {
  for (uint32_t i = 0; i < b->phi.count; i++) {
    uint32_t id = b->phi.at[i];
    if (sr_def_op(a->c->m, id) == SpvOpPhi &&
        other_phi(k, a, sr_def(a->c->m, id), b, sr_def(b->c->m, id)))
      return true;
  }
  return false;
}

/* The promises in a loop's control mask; its other bits are hints. */
static const uint32_t PROMISES = SpvLoopControlDependencyInfiniteMask |
                                 SpvLoopControlDependencyLengthMask |
                                 SpvLoopControlMinIterationsMask | SpvLoopControlMaxIterationsMask |
                                 SpvLoopControlIterationMultipleMask;

/* The OpLoopMerge of a block, or SR_NONE. */
static SrRef loop_merge(const SrModule *m, const SrBlock *b) {
  SrRef r = sr_merge_inst(m, b);
  return r != SR_NONE && sr_inst(m, r)->op == SpvOpLoopMerge ? r : SR_NONE;
}

static uint32_t *functions_by_label(SrArena *arena, const SrModule *m) {
  uint32_t *function_with = sr_new_none(arena, sr_bound(m));
  for (uint32_t i = 0; i < m->function_count; i++)
    for (uint32_t b = 0; b < m->functions[i].block_count; b++)
      function_with[m->functions[i].blocks[b].id] = i;
  return function_with;
}

/* The block of the input that OpLabel `id` begins, in any function, or NULL. */
static const SrBlock *given_block(const Check *k, uint32_t id) {
  const SrModule *m = k->given;
  uint32_t f = id < sr_bound(m) ? k->function_with[id] : SR_NONE;
  return f == SR_NONE ? NULL : &m->functions[f].blocks[sr_block_of(m, id)];
}

static bool same_control(const SrModule *m, SrRef a, const SrModule *n, SrRef b) {
  uint32_t count = sr_word_count(m, a);
  return count == sr_word_count(n, b) &&
         memcmp(&sr_words(m, a)[3], &sr_words(n, b)[3], (count - 3) * sizeof(uint32_t)) == 0;
}

/* Does the header of a loop with promises keep the same promises, even those of a misplaced merge
 * instruction? Another block may have replaced the header. This reads the input as given: a header
 * that calls a function expanded there (check_expand.h) has no merge instruction in the other
 * module. */
static bool same_promises(Check *k, const SrFunction *g) {
  const SrModule *m = k->given, *n = k->after.m;
  for (uint32_t i = 0; i < g->block_count; i++) {
    SrRef after = loop_merge(n, &g->blocks[i]);
    const SrBlock *was = given_block(k, g->blocks[i].id);
    if (after == SR_NONE || !was || !(sr_words(n, after)[3] & PROMISES))
      continue;
    SrRef before = loop_merge(m, was), misplaced = sr_hint_of(m, was->id, SpvOpLoopMerge);
    if ((before != SR_NONE && same_control(m, before, n, after)) ||
        (misplaced != SR_NONE && same_control(m, misplaced, n, after)))
      continue;
    SrText t = {.arena = k->scratch};
    sr_text_add(&t,
                "function %s, block %%%u: the output differs from the input: the loop control "
                "promises something else",
                sr_function_name(n, k->scratch, g), was->id);
    sr_check_put_place(&t, m, sr_terminator(was));
    tell_line(k, sr_text_end(&t));
    return false;
  }
  return true;
}

/* ---- walks ---- */

static uint64_t limit_after(const SrWalk *w) {
  uint64_t visits = w->before.path.count + 2, blocks = w->after.code->block.count + 2;
  return visits * blocks + 64;
}

static SrWalkComparisons comparisons_of(const Check *k, uint32_t number, bool scouts) {
  if (number % (scouts ? SCOUTS_COMPUTED : COMPUTED_EVERY) == 0)
    return SR_WALK_COMPUTE_ALL;
  return k->options->folds ? SR_WALK_COMPUTE_FIXED : SR_WALK_COMPUTE_OWN;
}

/* Walks through the output; returns whether the result is certain. A comparison in the output may
 * be added by a transform or be a copy of one in the input: both assumptions are tried. If neither
 * fits, there may be some of each. */
static bool follow(SrWalk *w) {
  for (int as_copies = 1; as_copies >= 0; as_copies--) {
    w->as_copies = as_copies;
    sr_walk_after(w, limit_after(w));
    if (!w->difference || !w->doubtful)
      return true;
  }
  w->difference = NULL;
  return false;
}

/* The walks of one function. */
typedef struct Walks {
  SrWalk walk;                /* through both sides */
  SrWalk scout;               /* through the output */
  SrCheckSteer input, output; /* what is covered, and where walks are steered to */
  uint32_t number;            /* of the walk */
} Walks;

/* Is the result of the walk certain? If not, the lane takes the same path again with all
 * comparisons computed. If there are numbers that lead it there, this makes the result certain. */
static bool is_certain(Walks *all) {
  SrWalk *w = &all->walk;
  SrCheckSteer *s = &all->input;
  if (follow(w))
    return true;
  s->given.count = 0;
  for (uint32_t i = 0; i < w->before.edge.count; i++)
    SR_PUSH(s->arena, &s->given, w->before.edge.at[i]);
  w->comparisons = SR_WALK_COMPUTE_ALL;
  w->draw->spread = false;
  s->aim_by = SR_CHECK_PATH;
  sr_check_steer(s, w->draw->seed, 1);
  return follow(w);
}

/* Compares the two modules on a walk that has already been made through the input. */
static bool compare(Check *k, Walks *all) {
  SrWalk *w = &all->walk;
  const SrWalkTrace *t = &w->trace;
  if (is_certain(all) && !w->difference && t->event.count) {
    sr_check_steer_cover(&all->input, &w->before, t->event.at[t->event.count - 1].path);
    sr_check_steer_cover(&all->output, &w->after, w->agreed);
  }
  k->report->walks++;
  k->report->visits += w->before.path.count + w->after.path.count;
  if (!w->difference)
    return true;
  tell(k, sr_check_line(k->scratch, w), sr_check_story(k->scratch, w, all->number, w->draw->seed));
  return false;
}

static SrCheckAim aim_of(const SrCheckSteer *s, uint32_t idle) {
  if (s->laps.count && idle < AIMLESS_FROM)
    return SR_CHECK_LAPS; /* the planned walk has covered something new */
  if (idle >= OFTEN_FROM && idle % LAPS_EVERY == 2)
    return SR_CHECK_LAPS;
  if (s->open == 0 || idle >= OFTEN_FROM)
    return idle % OFTEN_EVERY == 0   ? SR_CHECK_DRIFT
           : idle % OFTEN_EVERY == 1 ? SR_CHECK_NEAREST
                                     : SR_CHECK_WANDER;
  if (idle < AIMLESS_FROM || idle % AIMLESS_EVERY == 1)
    return SR_CHECK_NEAREST;
  return idle % AIMLESS_EVERY == 0 ? SR_CHECK_DRIFT : SR_CHECK_WANDER;
}

/* Makes one walk that aims at open edges of `aims`, which steers through the input or the output.
 * Returns whether the sides agree. `idle`: the number of walks in a row that have covered nothing
 * new. */
static bool walk(Check *k, Walks *all, SrCheckSteer *aims, uint32_t idle) {
  uint64_t seed =
      sr_walk_mix(sr_walk_mix(k->options->seed, all->walk.before.code->f->id), all->number);
  SrWalkComparisons comparisons = comparisons_of(k, all->number, aims == &all->output);
  all->walk.comparisons = all->scout.comparisons = comparisons;
  k->draw.spread = comparisons != SR_WALK_COMPUTE_ALL;
  aims->aim_by = aim_of(aims, idle);
  uint32_t sparse = idle < MOST_SPARSE ? idle : MOST_SPARSE;
  if (aims->aim_by == SR_CHECK_LAPS && idle >= AIMLESS_FROM) {
    sr_check_laps_plan(&aims->laps, seed);
    sparse = seed % SPARSE_LAPS;
  }
  sr_check_steer(aims, seed, (uint32_t)1 << sparse);
  if (aims == &all->output)
    sr_check_steer_repeat(&all->input, &all->output);
  bool same = compare(k, all);
  sr_check_steer_fail(aims);
  all->number++;
  return same;
}

/* Walks until everything possible in `aims` is covered, or the budget is spent; at least until walk
 * `least`. If the caller gave the number of walks, until walk `most`. Returns whether the sides
 * agree. */
static bool walk_all(Check *k, Walks *all, SrCheckSteer *aims, uint32_t least, uint32_t most) {
  uint32_t idle = 0;
  bool given = k->options->walks != 0;
  aims->budget = given ? UINT64_MAX : LEAST_VISITS + VISITS_PER_BLOCK * aims->size;
  uint64_t since = aims->budget;     /* after the last walk that covered something new */
  uint64_t spare = aims->budget / 2; /* only for walks that cover something new */
  while (given ? all->number < most : aims->budget > 0) {
    uint32_t covered = aims->edges_covered + aims->pairs_covered;
    bool is_idle = idle >= MOST_IDLE_WALKS && since - aims->budget >= IDLE_VISITS;
    bool is_least = all->number >= least || aims->budget < spare;
    if (!given && is_least && (aims->open == 0 || is_idle))
      break;
    if (!walk(k, all, aims, idle))
      return false;
    idle++;
    if (aims->edges_covered + aims->pairs_covered != covered) {
      idle = 0;
      since = aims->budget;
    }
  }
  return true;
}

/* Walks that aim at the input, and then those that aim at the output, which have their own
 * budget. */
static void walk_both(Check *k, Walks *all, bool doubtful) {
  uint32_t most = k->options->walks, least = doubtful ? DOUBTFUL_WALKS : LEAST_WALKS;
  if (!walk_all(k, all, &all->input, least, most - most / 2))
    return;
  all->input.budget = UINT64_MAX;
  walk_all(k, all, &all->output, all->number + LEAST_SCOUTS + 2 * all->output.edges, most);
}

static void begin_walks(Check *k, const SrWalkCode *a, const SrWalkCode *b, Walks *all) {
  *all = (Walks){.walk = {.arena = k->scratch,
                          .draw = &k->draw,
                          .own_from = k->own_from,
                          .learned = SR_NEW(k->scratch, uint8_t, b->inst.count),
                          .before = {.code = a, .value = k->before.value},
                          .after = {.code = b, .value = k->after.value}}};
  all->scout = all->walk;
  all->scout.scouts = true;
  all->scout.before = all->walk.after;
  bool folds = k->options->folds;
  sr_check_steer_init(k->scratch, &all->walk, folds ? 0 : UINT32_MAX, k->fact, &all->input);
  sr_check_steer_init(k->scratch, &all->scout, folds ? 0 : k->own_from, k->fact, &all->output);
}

static void add_coverage(SrCheckCoverage *sum, const SrCheckSteer *s) {
  sum->edges += s->edges;
  sum->pairs += s->pairs;
  sum->edges_covered += s->edges_covered;
  sum->pairs_covered += s->pairs_covered;
}

static void check_function(Check *k, const SrFunction *f, const SrFunction *g, SrMap *place) {
  SrWalkCode a, b;
  const SrWalkPassed sides = {.before = k->before.m,
                              .after = k->after.m,
                              .f = f,
                              .g = g,
                              .own_from = k->own_from,
                              .origin = k->expanded.origin.at};
  sr_walk_passed(k->scratch, &sides, place);
  sr_walk_decode(k->scratch, &k->before, f, UINT32_MAX, k->after.m, place, k->inst_of[0], &a);
  sr_walk_decode(k->scratch, &k->after, g, k->own_from, NULL, place, k->inst_of[1], &b);
  Walks all;
  begin_walks(k, &a, &b, &all);
  if (same_instructions(k, &a, &b) && same_promises(k, g))
    walk_both(k, &all, other_operands(k, &a, &b) || other_phis(k, &a, &b));
  k->report->functions++;
  add_coverage(&k->report->input, &all.input);
  add_coverage(&k->report->output, &all.output);
}

/* Records the addresses of the function's variables that are copies. */
static void place_copies(Check *k, uint32_t function, SrMap *place) {
  for (; k->copy < k->expanded.copy.count; k->copy++) {
    const SrCheckCopy *c = &k->expanded.copy.at[k->copy];
    if (c->function != function)
      break;
    sr_map_set(place, c->copy, c->first);
  }
}

static void check_functions(Check *k) {
  const SrModule *m = k->before.m, *n = k->after.m;
  for (uint32_t i = 0; i < m->function_count; i++) {
    const SrFunction *f = &m->functions[i], *g = &n->functions[i];
    if (f->id != g->id || !same_list(m, f->head, n, g->head) ||
        (f->block_count == 0) != (g->block_count == 0)) {
      tell_line(k, "module level: a function is missing, or has other parameters");
      return;
    }
    SrMark mark = sr_arena_mark(k->scratch);
    SrMap place = {.arena = k->scratch};
    place_copies(k, i, &place);
    if (!same_function(m, f, n, g))
      check_function(k, f, g, &place);
    else
      k->report->unchanged += f->block_count > 0;
    sr_arena_reset(k->scratch, mark);
  }
}

static void check_modules(Check *k) {
  const char *what;
  const SrModule *m = k->before.m, *n = k->after.m;
  sr_walk_globals(k->scratch, m, n, k->own_from, &what);
  if (what)
    tell_line(k, what);
  else if (m->function_count != n->function_count)
    tell_line(k, "module level: the number of functions differs");
  else
    check_functions(k);
}

/* Reads both modules without notices: the caller has read them before, and passed the notices on.
 * m[2]: the input as given. */
static SrStatus read_both(SrArena *arena, SrDiag *diag, const SrCheckInput *in, SrModule *m[3],
                          SrCheckExpanded *expanded) {
  void (*notice)(void *, const char *) = diag->notice;
  diag->notice = NULL;
  SrStatus status = sr_read(arena, diag, in->before, in->before_count, &m[0]);
  if (status == SR_OK)
    status = sr_read(arena, diag, in->after, in->after_count, &m[1]);
  m[2] = m[0];
  if (status == SR_OK && sr_check_expand(arena, m[0], m[1], expanded))
    status = sr_read(arena, diag, expanded->words, expanded->count, &m[0]);
  diag->notice = notice;
  return status;
}

SrStatus sr_check(SrArena *out, SrDiag *diag, const SrCheckInput *in, const SrCheckOptions *options,
                  SrCheckReport *report) {
  SrArena arena = sr_arena_new(out->heap), scratch = sr_arena_new(out->heap),
          draws = sr_arena_new(out->heap);
  SrModule *m[3];
  *report = (SrCheckReport){0};
  SrCheckExpanded expanded = {0};
  SrStatus status = read_both(&arena, diag, in, m, &expanded);
  if (status == SR_OK) {
    Check k = {.out = out,
               .scratch = &scratch,
               .options = options,
               .own_from = in->before[3],
               .given = m[2],
               .expanded = expanded,
               .report = report,
               .text = {.arena = out}};
    sr_walk_module_init(&arena, m[0], &k.before);
    sr_walk_module_init(&arena, m[1], &k.after);
    sr_walk_draw_init(&draws, m[0], &k.draw);
    for (int i = 0; i < 2; i++)
      k.inst_of[i] = sr_new_none(&arena, sr_bound(m[i]));
    k.fact = sr_new_none(&arena, sr_bound(sr_bound(m[0]) < sr_bound(m[1]) ? m[1] : m[0]));
    k.function_with = functions_by_label(&arena, m[2]);
    check_modules(&k);
    if (k.text.count)
      report->text = sr_text_end(&k.text);
  }
  sr_arena_free(&draws);
  sr_arena_free(&scratch);
  sr_arena_free(&arena);
  return status;
}
