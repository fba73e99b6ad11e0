/* SPDX-License-Identifier: Apache-2.0 */
/* thread_walk: see thread_walk.h.
 *
 * The test of an ordinary loop is known on the edge that enters the loop (i = 0 < 10). Threading it
 * would only rotate the loop. So a block in a cycle is bypassed only if its choice is known on a
 * walk that begins inside that cycle. Whether there is such a walk is known only when all walks are
 * done. If blocks must be given up, all walks are repeated. */
#include "passes/transform/undispatch/thread_walk.h"

#include "passes/transform/undispatch/selector_value.h"

enum {
  MOST_FORKS = 4,    /* nested forks on one edge */
  MOST_STEPS = 4096, /* steps of one walk, because a walk around an endless loop of empty blocks
                        does not end */
  WORK = 16,         /* units of work for each instruction of the function */
  MOST_ROUNDS = 4
};

/* Units of work that the functions of a module share in proportion to their sizes, so that a small
 * module can still follow a long path out of deeply nested loops (work quadratic in their depth). */
static const int64_t SHARED_WORK = 1 << 24;

/* A condition that a fork, or the branch at the start of the walk, has decided. */
typedef struct Assumption {
  uint32_t id;
  uint64_t bits;
} Assumption;

typedef struct Walk {
  SrThreadGraph *t;
  SrThreadPlan *plan;
  SrBits *given_up; /* by block: its choice is not threaded */
  SrSelectorValues values, assumed;
  SR_VEC(Assumption) assumption;
  SR_VEC(SrSelectorValue) value; /* of the phis of one block */
  int64_t work;                  /* work that is left */
} Walk;

/* How a walk ended. */
typedef struct End {
  uint32_t fork;  /* the condition on which it has to fork, or 0 */
  uint32_t stuck; /* the block whose choice is not known, or SR_NONE */
  SrThreadPath path;
} End;

static uint32_t edge(const Walk *w, uint32_t block, uint32_t slot) {
  return w->t->g->succ_at[block] + slot;
}

/* ---- one step ---- */

static SrSelectorValue look_up(const Walk *w, uint32_t id) {
  const SrSelectorValue *v = sr_selector_get(&w->values, id);
  return v ? *v : sr_selector_value(w->t->m, &w->assumed, id);
}

/* The value that a phi takes on. A boolean that is not known can be decided by its own fork, a
 * negation by that of its operand. */
static SrSelectorValue operand_value(const Walk *w, SrRef phi, uint32_t id) {
  const SrModule *m = w->t->m;
  SrSelectorValue v = look_up(w, id);
  if (v.known || v.fork || sr_def_op(m, sr_inst(m, phi)->type) != SpvOpTypeBool)
    return v;
  v.fork = v.id;
  while (v.fork && sr_def_op(m, v.fork) == SpvOpLogicalNot)
    v.fork = sr_words(m, sr_def(m, v.fork))[3];
  return v;
}

/* Phis take their values simultaneously: all are looked up before any is set. */
static void take_phis(Walk *w, uint32_t b, uint32_t pred) {
  const SrThreadGraph *t = w->t;
  w->value.count = 0;
  for (uint32_t i = t->phi_at[b]; i < t->phi_at[b + 1]; i++) {
    uint32_t id = t->operand[t->operand_at[i] + pred];
    SR_PUSH(t->arena, &w->value, id ? operand_value(w, t->phi[i], id) : (SrSelectorValue){0});
  }
  for (uint32_t i = t->phi_at[b]; i < t->phi_at[b + 1]; i++)
    sr_selector_set(&w->values, sr_inst(t->m, t->phi[i])->result, w->value.at[i - t->phi_at[b]]);
  w->work -= w->value.count;
}

static void take_code(Walk *w, uint32_t b) {
  const SrModule *m = w->t->m;
  for (SR_EACH(m, r, w->t->f->blocks[b].list))
    if (sr_inst(m, r)->op != SpvOpPhi && sr_selector_is_computed(m, r)) {
      sr_selector_set(&w->values, sr_inst(m, r)->result,
                      sr_selector_compute(m, &w->values, &w->assumed, r));
      w->work--;
    }
}

/* The slot by which lanes leave block b. SR_NONE: it is not known, and *fork is the condition that
 * would decide it, or 0. */
static uint32_t leave(const Walk *w, uint32_t b, uint32_t *fork) {
  const SrThreadGraph *t = w->t;
  *fork = 0;
  if (!sr_bit(t->decides, b))
    return 0;
  SrRef end = sr_terminator(&t->f->blocks[b]);
  const uint32_t *words = sr_words(t->m, end);
  SrSelectorValue choice = look_up(w, words[1]);
  if (!choice.known) {
    *fork = choice.fork;
    return SR_NONE;
  }
  if (sr_inst(t->m, end)->op == SpvOpSwitch)
    return sr_thread_graph_case(t, b, choice.bits);
  return sr_thread_graph_slot(t, b, sr_block_of(t->m, words[choice.bits ? 2 : 3]));
}

/* ---- one walk ---- */

static void begin(Walk *w) {
  sr_selector_clear(&w->values);
  sr_selector_clear(&w->assumed);
  for (uint32_t i = 0; i < w->assumption.count; i++)
    sr_selector_set(&w->assumed, w->assumption.at[i].id,
                    (SrSelectorValue){.known = true, .bits = w->assumption.at[i].bits});
}

static bool may_pass(const Walk *w, uint32_t b) {
  return sr_bit(w->t->empty, b) && !(sr_bit(w->t->decides, b) && sr_bit(w->given_up, b));
}

static void arrive(const Walk *w, End *end, uint32_t block, uint32_t slot) {
  end->path.to = w->t->g->succ[edge(w, block, slot)];
  end->path.pred = w->t->pred_slot[edge(w, block, slot)];
}

/* Walks from block `from` by successor `slot`; SR_NONE: by the slot that the block's choice names.
 * The steps stay in the plan. */
static End walk(Walk *w, uint32_t from, uint32_t slot, bool may_fork) {
  const SrThreadGraph *t = w->t;
  SrThreadPlan *plan = w->plan;
  End end = {.stuck = SR_NONE, .path = {.first = plan->step.count}};
  begin(w);
  if (slot == SR_NONE)
    slot = leave(w, from, &end.fork);
  if (slot == SR_NONE) {
    end.stuck = from;
    end.fork = may_fork ? end.fork : 0;
    return end;
  }
  arrive(w, &end, from, slot);
  const SrThreadPath start = end.path;
  while (may_pass(w, end.path.to) && w->work > 0) {
    uint32_t b = end.path.to, pred = end.path.pred;
    if (plan->step.count - end.path.first == MOST_STEPS) { /* endless: the edge stays as it is */
      plan->step.count = start.first;
      end.path = start;
      break;
    }
    w->work--;
    take_phis(w, b, pred);
    take_code(w, b);
    slot = leave(w, b, &end.fork);
    if (slot == SR_NONE) {
      end.stuck = b;
      end.fork = may_fork ? end.fork : 0;
      break;
    }
    SR_PUSH(t->arena, &plan->step, (SrThreadStep){b, pred});
    arrive(w, &end, b, slot);
  }
  end.path.count = plan->step.count - end.path.first;
  return end;
}

static SrThreadOut add_path(SrThreadGraph *t, SrThreadPlan *plan, const SrThreadPath *path) {
  SR_PUSH(t->arena, &plan->path, *path);
  return plan->path.count - 1;
}

/* Explores all paths from `from` by `slot`, forking where that decides the next choice, at most
 * MOST_FORKS deep. Returns SR_NONE if the choice of block `asks`, for which the caller forked, is
 * still not known. */
static SrThreadOut explore(Walk *w, uint32_t from, uint32_t slot, unsigned depth, uint32_t asks) {
  SrThreadPlan *plan = w->plan;
  uint32_t steps = plan->step.count, paths = plan->path.count, forks = plan->fork.count;
  End end = walk(w, from, slot, depth < MOST_FORKS);
  if (end.fork) {
    SrThreadFork fork = {.condition = end.fork};
    bool decided = true;
    plan->step.count = steps;
    for (uint64_t k = 0; k < 2 && decided; k++) {
      SR_PUSH(w->t->arena, &w->assumption, (Assumption){end.fork, !k});
      fork.out[k] = explore(w, from, slot, depth + 1, end.stuck);
      w->assumption.count--;
      decided = fork.out[k] != SR_NONE;
    }
    if (decided) {
      SR_PUSH(w->t->arena, &plan->fork, fork);
      return SR_THREAD_FORK | (plan->fork.count - 1);
    }
    plan->step.count = steps;
    plan->path.count = paths;
    plan->fork.count = forks;
    end = walk(w, from, slot, false);
  }
  if (end.stuck != SR_NONE && end.stuck == asks) {
    plan->step.count = steps;
    return SR_NONE;
  }
  return add_path(w->t, plan, &end.path);
}

/* ---- all blocks ---- */

/* Explores each successor by itself. Lanes that leave a branch know its condition. (Lanes that
 * leave a switch know its selector; but to --check, `x == 3` is a boolean that has nothing to do
 * with x.) */
static void explore_each(Walk *w, uint32_t b) {
  const SrThreadGraph *t = w->t;
  uint32_t slots = sr_succ_count(t->g, b);
  const SrRef end = sr_terminator(&t->f->blocks[b]);
  bool branches = slots == 2 && sr_inst(t->m, end)->op == SpvOpBranchConditional;
  for (uint32_t slot = 0; slot < slots; slot++) {
    const uint32_t *words = sr_words(t->m, end);
    w->assumption.count = 0;
    if (branches)
      SR_PUSH(t->arena, &w->assumption,
              (Assumption){words[1], t->g->succ[edge(w, b, slot)] == sr_block_of(t->m, words[2])});
    SrThreadOut out = explore(w, b, slot, 0, SR_NONE);
    SR_PUSH(t->arena, &w->plan->out, out);
  }
  w->assumption.count = 0;
}

static void leave_block(Walk *w, uint32_t b) {
  SrThreadGraph *t = w->t;
  if (sr_bit(t->decides, b) && !sr_bit(w->given_up, b) && w->work > 0) {
    SrThreadOut out = explore(w, b, SR_NONE, 0, b);
    if (out != SR_NONE) {
      SR_PUSH(t->arena, &w->plan->out, out);
      return;
    }
  }
  explore_each(w, b);
}

/* Explores all blocks that lanes still run. The block that a path leads to may be new; then it is
 * explored as well. */
static void explore_all(Walk *w) {
  SrThreadGraph *t = w->t;
  SrThreadPlan *plan = w->plan;
  uint32_t seen = 0;
  SR_PUSH(t->arena, &plan->block, 0);
  sr_bit_set(plan->kept, 0);
  for (uint32_t i = 0; i < plan->block.count; i++) {
    plan->out_at[i] = plan->out.count;
    leave_block(w, plan->block.at[i]);
    for (; seen < plan->path.count; seen++) {
      uint32_t to = plan->path.at[seen].to;
      if (sr_bit(plan->kept, to))
        continue;
      sr_bit_set(plan->kept, to);
      SR_PUSH(t->arena, &plan->block, to);
    }
  }
  plan->out_at[plan->block.count] = plan->out.count;
}

/* ---- loops ---- */

typedef struct Tally {
  Walk *w;
  SrBits *passed, *inside; /* by block: its choice was known on some walk; on a walk from inside its
                              cycle */
  SR_VEC(SrThreadOut) work;
} Tally;

static void tally_path(Tally *k, uint32_t from, const SrThreadPath *path) {
  const SrThreadGraph *t = k->w->t;
  for (uint32_t i = path->first; i < path->first + path->count; i++) {
    uint32_t b = k->w->plan->step.at[i].block, cycle = t->nest->inner[b];
    if (!sr_bit(t->decides, b))
      continue;
    k->w->plan->decided++;
    sr_bit_set(k->passed, b);
    if (cycle == SR_NONE || sr_cycle_has(t->nest, cycle, from))
      sr_bit_set(k->inside, b);
  }
}

static void tally_out(Tally *k, uint32_t from, SrThreadOut out) {
  const SrThreadPlan *plan = k->w->plan;
  SR_PUSH(k->w->t->arena, &k->work, out);
  while (k->work.count) {
    out = SR_POP(&k->work);
    if (out & SR_THREAD_FORK) {
      const SrThreadFork *fork = &plan->fork.at[out & ~SR_THREAD_FORK];
      SR_PUSH(k->w->t->arena, &k->work, fork->out[0]);
      SR_PUSH(k->w->t->arena, &k->work, fork->out[1]);
    } else {
      tally_path(k, from, &plan->path.at[out]);
    }
  }
}

/* Gives up the blocks in cycles that only walks from outside have passed; returns whether there are
 * any. Counts the choices that were decided. */
static bool give_up(Walk *w) {
  const SrThreadGraph *t = w->t;
  SrThreadPlan *plan = w->plan;
  Tally k = {.w = w,
             .passed = sr_bits_new(t->arena, t->g->count),
             .inside = sr_bits_new(t->arena, t->g->count)};
  bool any = false;
  for (uint32_t i = 0; i < plan->block.count; i++) {
    uint32_t b = plan->block.at[i], outs = plan->out_at[i + 1] - plan->out_at[i];
    if (outs < sr_succ_count(t->g, b))
      plan->decided++; /* its own choice */
    for (uint32_t o = plan->out_at[i]; o < plan->out_at[i + 1]; o++)
      tally_out(&k, b, plan->out.at[o]);
  }
  for (uint32_t b = 0; b < t->g->count; b++)
    if (sr_bit(k.passed, b) && !sr_bit(k.inside, b)) {
      sr_bit_set(w->given_up, b);
      any = true;
    }
  return any;
}

static SrThreadPlan *new_plan(const SrThreadGraph *t) {
  SrThreadPlan *plan = SR_NEW(t->arena, SrThreadPlan, 1);
  plan->kept = sr_bits_new(t->arena, t->g->count);
  plan->out_at = SR_NEW(t->arena, uint32_t, (size_t)t->g->count + 1);
  return plan;
}

/* The work that the walks of one function may take. */
static int64_t all_work(const SrThreadGraph *t) {
  int64_t work = 0;
  for (uint32_t b = 0; b < t->g->count; b++)
    for (SR_EACH(t->m, r, t->f->blocks[b].list))
      work += 1 + (sr_inst(t->m, r)->op == SpvOpPhi ? sr_word_count(t->m, r) / 2 : 0);
  return work * WORK + SHARED_WORK * work / t->m->inst.count;
}

SrThreadPlan *sr_thread_walk(SrThreadGraph *t) {
  Walk w = {.t = t, .given_up = sr_bits_new(t->arena, t->g->count)};
  w.values = (SrSelectorValues){.arena = t->arena, .at = sr_ids_take(t->m)};
  w.assumed = (SrSelectorValues){.arena = t->arena, .at = sr_ids_take(t->m)};
  for (int round = 0; round < MOST_ROUNDS; round++) {
    w.plan = new_plan(t);
    w.work = all_work(t);
    explore_all(&w);
    if (!give_up(&w))
      break;
  }
  sr_ids_give(t->m, w.values.at);
  sr_ids_give(t->m, w.assumed.at);
  return w.plan;
}
