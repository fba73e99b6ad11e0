/* SPDX-License-Identifier: Apache-2.0 */
/* model: see model.h. Recursive on the nesting of the program, which is bounded. */
#include "harness/converge/model.h"

#include <string.h>

const char *const cv_mode_names[CV_MODES] = {"maximal", "uniform", "none"};

bool cv_mode_find(const char *name, CvMode *mode) {
  for (uint32_t i = 0; i < CV_MODES; i++)
    if (strcmp(name, cv_mode_names[i]) == 0) {
      *mode = (CvMode)i;
      return true;
    }
  return false;
}

/* ---- sets of lanes of the workgroup ---- */

enum { CHUNKS = CV_LANES / 64, MOST_STEPS = 20000 };

typedef struct Lanes {
  uint64_t chunk[CHUNKS];
} Lanes;

static bool any(Lanes a) {
  return a.chunk[0] | a.chunk[1] | a.chunk[2] | a.chunk[3];
}

static Lanes both(Lanes a, Lanes b) {
  for (uint32_t i = 0; i < CHUNKS; i++)
    a.chunk[i] &= b.chunk[i];
  return a;
}

static Lanes either(Lanes a, Lanes b) {
  for (uint32_t i = 0; i < CHUNKS; i++)
    a.chunk[i] |= b.chunk[i];
  return a;
}

static Lanes without(Lanes a, Lanes b) {
  for (uint32_t i = 0; i < CHUNKS; i++)
    a.chunk[i] &= ~b.chunk[i];
  return a;
}

static bool has(const Lanes *a, uint32_t lane) {
  return a->chunk[lane / 64] >> lane % 64 & 1;
}

static void put(Lanes *a, uint32_t lane) {
  a->chunk[lane / 64] |= UINT64_C(1) << lane % 64;
}

uint32_t cv_set_count(const CvSet *set) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < CV_WORDS; i++)
    count += (uint32_t)__builtin_popcount(set->word[i]);
  return count;
}

/* ---- the walk ---- */

/* Lanes that are at one place, and those among them whose group has uniform control flow there. */
typedef struct Flow {
  Lanes lanes, uniform;
  CvEvent event;
} Flow;

typedef struct Walk {
  const CvProgram *p;
  CvExpected *expected; /* NULL: observations are only counted */
  uint32_t size, total; /* lanes of a subgroup, of the workgroup */
  uint32_t group;       /* lanes of a group for which control flow may be uniform */
  uint32_t *count;      /* observations so far, by lane */
  uint32_t order, steps;
  CvMode mode;
  bool apart; /* lanes of different selectors are kept apart in a switch */
  bool too_long;
} Walk;

/* Where lanes that jump have gone. */
typedef struct Jumps {
  Flow *breaks, *continues, *returns;
  uint32_t counter; /* the innermost loop's counter */
} Jumps;

static Flow run_block(Walk *w, uint32_t first, Flow flow, Jumps jumps);

static void join(Flow *target, Flow flow) {
  target->lanes = either(target->lanes, flow.lanes);
  target->uniform = either(target->uniform, flow.uniform);
}

/* The lanes of `flow` in `chosen`. A group diverges if only some of its lanes are chosen. */
static Flow part(const Walk *w, Flow flow, Lanes chosen, CvEvent event) {
  Flow result = {both(flow.lanes, chosen), {{0}}, event};
  for (uint32_t from = 0; from < w->total; from += w->group) {
    Lanes group = {{0}};
    for (uint32_t lane = from; lane < from + w->group; lane++)
      put(&group, lane);
    if (!any(without(both(flow.uniform, group), chosen)))
      result.uniform = either(result.uniform, both(flow.uniform, group));
  }
  return result;
}

/* After a construct that `before` entered, at its merge block. */
static Flow merge(const Walk *w, Flow before, Lanes reached, CvEvent event) {
  Flow result = part(w, before, reached, event);
  result.lanes = reached;
  return result;
}

static Lanes lanes_where(const Walk *w, Flow flow, uint32_t row, bool (*test)(uint32_t, uint32_t),
                         uint32_t operand) {
  Lanes result = {{0}};
  for (uint32_t lane = 0; lane < w->total; lane++)
    if (has(&flow.lanes, lane) && test(cv_value(row, lane, w->size), operand))
      put(&result, lane);
  return result;
}

static bool is_above(uint32_t value, uint32_t operand) {
  return value > operand;
}

static bool is_equal(uint32_t value, uint32_t operand) {
  return value == operand;
}

/* ---- observations ---- */

static CvSet subgroup_of(const Walk *w, const Lanes *lanes, uint32_t lane) {
  uint32_t from = lane / w->size * w->size;
  CvSet set = {{0}};
  for (uint32_t i = 0; i < w->size; i++)
    if (has(lanes, from + i))
      set.word[i / 32] |= 1u << i % 32;
  return set;
}

static CvSet self(const Walk *w, uint32_t lane) {
  CvSet set = {{0}};
  set.word[lane % w->size / 32] = 1u << lane % w->size % 32;
  return set;
}

static void note(Walk *w, const Flow *flow, uint32_t lane, uint32_t point) {
  CvRecord *r = &w->expected->record[lane][w->count[lane]];
  CvSet tangle = subgroup_of(w, &flow->lanes, lane);
  if (w->mode != CV_MAXIMAL) {
    bool uniform = has(&flow->uniform, lane);
    *r = (CvRecord){point, w->order, flow->event, uniform ? tangle : self(w, lane), tangle};
  } else if (w->apart) {
    *r = (CvRecord){point, w->order, flow->event, tangle, tangle};
  } else {
    r->may = tangle;
  }
}

static void observe(Walk *w, Flow flow, uint32_t point) {
  for (uint32_t lane = 0; lane < w->total; lane++) {
    if (!has(&flow.lanes, lane))
      continue;
    w->too_long |= w->count[lane] >= CV_RECORDS;
    if (w->expected && !w->too_long)
      note(w, &flow, lane, point);
    w->count[lane]++;
  }
  w->order++;
}

/* ---- statements ---- */

static Flow run_if(Walk *w, const CvStatement *s, Flow flow, Jumps jumps) {
  Lanes taken = lanes_where(w, flow, s->row + (s->counter ? jumps.counter : 0), is_above, 0);
  Flow then = part(w, flow, taken, CV_AT_ARM);
  Flow other = part(w, flow, without(flow.lanes, taken), CV_AT_ARM);
  then = run_block(w, s->parts[0], then, jumps);
  other = run_block(w, s->parts[1], other, jumps);
  return merge(w, flow, either(then.lanes, other.lanes), CV_AT_JOIN);
}

/* The end of an iteration: at the continue target. */
static Flow next_iteration(Walk *w, const CvStatement *s, Flow end, Flow continues) {
  join(&continues, end);
  continues.event = CV_AT_CONTINUE;
  if (s->tells)
    observe(w, continues, (uint32_t)(s - w->p->at));
  continues.event = CV_AT_ITERATION;
  return continues;
}

static Flow run_loop(Walk *w, const CvStatement *s, Flow flow, Jumps outer) {
  Flow breaks = {0}, here = flow;
  here.event = CV_AT_ITERATION;
  bool first = s->loop == CV_DO; /* its condition is at the end */
  for (uint32_t iteration = first; any(here.lanes) && !w->too_long; iteration++) {
    Lanes stay = lanes_where(w, here, s->row, is_above, iteration - first);
    if (first)
      stay = here.lanes;
    join(&breaks, part(w, here, without(here.lanes, stay), CV_AT_EXIT));
    here = part(w, here, stay, s->loop == CV_ENDLESS ? CV_AT_JOIN : CV_AT_ITERATION);
    Flow continues = {0};
    Jumps inner = {&breaks, &continues, outer.returns, iteration};
    Flow end = run_block(w, s->parts[0], here, inner);
    here = next_iteration(w, s, end, continues);
    if (!first)
      continue;
    Lanes again = lanes_where(w, here, s->row, is_above, iteration);
    join(&breaks, part(w, here, without(here.lanes, again), CV_AT_EXIT));
    here = part(w, here, again, CV_AT_ITERATION);
  }
  return merge(w, flow, breaks.lanes, CV_AT_EXIT);
}

static uint32_t label_count(const CvStatement *s) {
  return s->has_other ? s->cases - 1u : s->cases;
}

/* The lanes whose selector names case `i`; `selectors`: only these, as bits. */
static Lanes chosen_by(const Walk *w, const CvStatement *s, Flow flow, uint32_t i,
                       uint32_t selectors) {
  Lanes result = {{0}};
  for (uint32_t value = 0; value < 4; value++) {
    uint32_t target = value < label_count(s) ? value : s->has_other ? s->cases - 1u : CV_NONE;
    if (target == i && selectors >> value & 1)
      result = either(result, lanes_where(w, flow, s->row, is_equal, value));
  }
  return result;
}

/* Runs the cases with the lanes that have one of the selectors; these lanes leave `flow` for
 * `*reached`, the merge block. */
static void run_cases(Walk *w, const CvStatement *s, Flow flow, uint32_t selectors, Jumps jumps,
                      Flow *reached) {
  Flow fallen = {0};
  Lanes left = {{0}};
  for (uint32_t value = 0; value < 4; value++)
    if (selectors >> value & 1)
      left = either(left, lanes_where(w, flow, s->row, is_equal, value));
  jumps.breaks = reached;
  for (uint32_t i = 0; i < s->cases; i++) {
    Lanes chosen = chosen_by(w, s, flow, i, selectors);
    left = without(left, chosen);
    join(&fallen, part(w, flow, chosen, CV_AT_CASE));
    fallen.event = CV_AT_CASE;
    fallen = run_block(w, s->parts[i], fallen, jumps);
    if (s->falls >> i & 1)
      continue;
    join(reached, fallen);
    fallen = (Flow){0};
  }
  join(reached, part(w, flow, left, CV_AT_SWITCH_JOIN));
}

static Flow run_switch(Walk *w, const CvStatement *s, Flow flow, Jumps jumps) {
  Flow reached = {0};
  if (w->apart)
    for (uint32_t value = 0; value < 4; value++)
      run_cases(w, s, flow, 1u << value, jumps, &reached);
  else
    run_cases(w, s, flow, 15, jumps, &reached);
  return merge(w, flow, reached.lanes, CV_AT_SWITCH_JOIN);
}

/* The lowest lane of each subgroup. */
static Lanes elected(const Walk *w, Lanes lanes) {
  Lanes result = {{0}};
  for (uint32_t from = 0; from < w->total; from += w->size)
    for (uint32_t lane = from; lane < from + w->size; lane++)
      if (has(&lanes, lane)) {
        put(&result, lane);
        break;
      }
  return result;
}

static Flow run_elect(Walk *w, const CvStatement *s, Flow flow, Jumps outer) {
  Flow breaks = {0}, here = flow;
  for (bool first = true; any(here.lanes) && !w->too_long; first = false) {
    Jumps inner = {&breaks, NULL, outer.returns, outer.counter};
    here.event = first ? flow.event : CV_AT_ITERATION;
    here = run_block(w, s->parts[1], here, inner);
    Lanes one = elected(w, here.lanes);
    join(&breaks, run_block(w, s->parts[0], part(w, here, one, CV_AT_ARM), inner));
    here = part(w, here, without(here.lanes, one), CV_AT_ITERATION);
  }
  return merge(w, flow, breaks.lanes, CV_AT_EXIT);
}

/* Lanes that return early are back with the others after the call. The specification says so only
 * for maximal reconvergence; in other modes flow stays uniform if a whole group returns at once. */
static Flow run_call(Walk *w, const CvStatement *s, Flow flow) {
  Flow returns = {0};
  flow.event = CV_AT_CALL;
  join(&returns, run_block(w, w->p->functions[s->callee], flow, (Jumps){.returns = &returns}));
  returns.event = CV_AT_RETURN;
  return returns;
}

static Flow run_statement(Walk *w, const CvStatement *s, Flow flow, Jumps jumps) {
  switch (s->kind) {
  case CV_TELL:
    observe(w, flow, (uint32_t)(s - w->p->at));
    return flow;
  case CV_IF:
    return run_if(w, s, flow, jumps);
  case CV_LOOP:
    return run_loop(w, s, flow, jumps);
  case CV_SWITCH:
    return run_switch(w, s, flow, jumps);
  case CV_ELECT:
    return run_elect(w, s, flow, jumps);
  case CV_CALL:
    return run_call(w, s, flow);
  case CV_BREAK:
    join(jumps.breaks, flow);
    break;
  case CV_CONTINUE:
    join(jumps.continues, flow);
    break;
  default:
    join(jumps.returns, flow);
  }
  return (Flow){0};
}

static Flow run_block(Walk *w, uint32_t first, Flow flow, Jumps jumps) {
  for (uint32_t s = first; s != CV_NONE && any(flow.lanes) && !w->too_long; s = w->p->at[s].next) {
    w->too_long |= ++w->steps > MOST_STEPS;
    flow = run_statement(w, &w->p->at[s], flow, jumps);
  }
  return flow;
}

/* ---- the whole program ---- */

static bool walk(const CvProgram *p, CvMode mode, uint32_t size, bool apart, uint32_t *count,
                 CvExpected *expected) {
  Walk w = {.p = p,
            .expected = expected,
            .size = size,
            .total = size * CV_SUBGROUPS,
            .mode = mode,
            .apart = apart,
            .count = count};
  Flow all = {.event = CV_AT_START}, returns = {0};
  w.group = mode == CV_UNIFORM ? w.size : w.total;
  memset(count, 0, CV_LANES * sizeof *count);
  for (uint32_t lane = 0; lane < w.total; lane++)
    put(&all.lanes, lane);
  all.uniform = all.lanes;
  run_block(&w, p->functions[p->function_count - 1], all, (Jumps){.returns = &returns});
  return !w.too_long;
}

/* Without a promise an implementation may put together all lanes that run an instruction, in
 * whatever iteration. */
static void widen(CvExpected *e, uint32_t size) {
  static const CvSet empty;
  for (uint32_t from = 0; from < size * CV_SUBGROUPS; from += size) {
    CvSet runs[CV_STATEMENTS];
    for (uint32_t i = 0; i < CV_STATEMENTS; i++)
      runs[i] = empty;
    for (uint32_t lane = 0; lane < size; lane++)
      for (uint32_t k = 0; k < e->count[from + lane]; k++)
        runs[e->record[from + lane][k].point].word[lane / 32] |= 1u << lane % 32;
    for (uint32_t lane = 0; lane < size; lane++)
      for (uint32_t k = 0; k < e->count[from + lane]; k++) {
        CvRecord *r = &e->record[from + lane][k];
        bool whole = cv_set_count(&r->must) == size;
        r->may = whole ? r->must : runs[r->point];
      }
  }
}

void cv_model(const CvProgram *program, CvMode mode, uint32_t subgroup_size, CvExpected *expected) {
  walk(program, mode, subgroup_size, mode == CV_MAXIMAL, expected->count, expected);
  if (mode == CV_MAXIMAL)
    walk(program, mode, subgroup_size, false, expected->count, expected);
  else
    widen(expected, subgroup_size);
}

bool cv_model_fits(const CvProgram *program) {
  uint32_t count[CV_LANES];
  for (uint32_t size = CV_LANES / CV_SUBGROUPS; cv_size_fits(size); size /= 2)
    if (!walk(program, CV_MAXIMAL, size, true, count, NULL) ||
        !walk(program, CV_MAXIMAL, size, false, count, NULL))
      return false;
  return true;
}
