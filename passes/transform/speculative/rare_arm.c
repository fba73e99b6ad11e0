/* SPDX-License-Identifier: Apache-2.0 */
/* rare_arm: see rare_arm.h. Each loop has at most one candidate, the arm that gains most. Among
 * nested loops, the one whose candidate gains most is chosen, unless something forbids that. */
#include "passes/transform/speculative/rare_arm.h"

#include "passes/analysis/function_size.h"
#include "passes/analysis/uniform/cross_lane.h"
#include "passes/analysis/uniform/resource_index.h"
#include "passes/transform/iterations/trip_count.h"
#include "passes/transform/speculative/rare_gain.h"
#include "passes/transform/ssa/ssa_stuck.h"

/* WORTH: an arm must cost this many times as much as the rest of the loop. ADDED: instructions that
 * each iteration has in addition. MOST_TAIL: limit on the instructions after the arm that may be
 * copied: enough for a loop's counter, its test and little else, which is small compared with the
 * arm. FEW_ITERATIONS: in so few iterations some lane needs the arm in most of them, whatever the
 * others do. WORK: attempts may visit this many times the number of the function's blocks. */
enum { WORTH = 4, ADDED = 2, MOST_TAIL = 16, FEW_ITERATIONS = 8, WORK = 8 };

static const int64_t no_gain = INT64_MIN;

typedef struct Candidate {
  int64_t gain;
  uint32_t block; /* SR_NONE: the cycle has none */
} Candidate;

typedef struct Find {
  SrArena *arena;
  SrModule *m;
  const SrFunction *f;
  const SrRareChoice *choice;
  SrRareArms *out;
  bool any; /* arms are moved whatever they cost */
  SrArms arms;
  SrTripCounts trips;
  uint32_t *size;      /* by block: instructions, without those of callees */
  uint64_t *cost;      /* by block: instructions, with those of callees */
  const SrBits *stuck; /* by block: see ssa_stuck.h */
  uint32_t *talked;    /* by rank: blocks of lower ranks in which lanes may communicate */
  Candidate *best;     /* by cycle */
  int64_t *within;     /* by cycle: the largest gain of the cycles in it */
  SrBits *in_tail;     /* by block */
  uint64_t total, copied, work;
} Find;

static const SrCycle *cycle_at(const Find *k, uint32_t cycle) {
  return &k->out->nest->cycles[cycle];
}

static void say(const Find *k, uint32_t cycle, const char *reason) {
  SrWhere where = {.function = sr_function_name(k->m, k->arena, k->f),
                   .block = k->f->blocks[cycle_at(k, cycle)->header].id,
                   .word = SR_NONE};
  sr_notice(k->m->diag, where, "speculative leaves the loop alone: %s", reason);
}

/* ---- sizes ---- */

static void count(Find *k) {
  const SrNest *nest = k->out->nest;
  k->size = SR_NEW(k->arena, uint32_t, k->f->block_count);
  k->cost = SR_NEW(k->arena, uint64_t, k->f->block_count);
  k->talked = SR_NEW(k->arena, uint32_t, nest->count + 1);
  for (uint32_t r = 0; r < nest->count; r++) {
    uint32_t b = nest->order[r];
    const SrBlock *block = &k->f->blocks[b];
    k->size[b] = sr_count_instructions(k->m, block);
    k->cost[b] = sr_function_block_size(k->m, block, k->choice->function_size);
    k->total += k->size[b];
    k->talked[r + 1] = k->talked[r] + sr_talks(k->m, k->choice->talking, block);
  }
}

static int64_t rest_of(const Find *k, uint32_t cycle, uint32_t block) {
  int64_t added = ADDED * (int64_t)sr_arm_weight(k->out->nest, cycle_at(k, cycle)->header);
  return sr_arms_cycle_weight(&k->arms, cycle) - k->arms.weight[block] + added;
}

/* ---- candidates ---- */

static bool diverges(const Find *k, uint32_t block) {
  return !sr_uniform_branch(k->choice->uniform, k->m, k->f, block);
}

/* Is there a divergent branch by which some lanes of an iteration enter the arm at this block? */
static bool is_chosen(const Find *k, uint32_t block) {
  const SrRareArms *o = k->out;
  bool chosen = k->any || diverges(k, o->dom->idom[block]);
  for (SR_PREDS(p, o->graph, block))
    chosen |= o->nest->rank[*p] != SR_NONE && !sr_dominates(o->dom, block, *p) && diverges(k, *p);
  return chosen;
}

static void look_at_block(Find *k, uint32_t block) {
  uint32_t cycle = sr_arm_cycle(&k->arms, block);
  if (cycle == SR_NONE || cycle_at(k, cycle)->entries > 1 || cycle_at(k, cycle)->header == block ||
      !sr_arms_passed_by(&k->arms, cycle, block) || !is_chosen(k, block))
    return;
  int64_t gain = k->arms.weight[block] - WORTH * rest_of(k, cycle, block);
  if (gain > k->best[cycle].gain)
    k->best[cycle] = (Candidate){gain, block};
}

static void find_candidates(Find *k) {
  const SrNest *nest = k->out->nest;
  k->best = SR_NEW(k->arena, Candidate, nest->cycle_count);
  k->within = SR_NEW(k->arena, int64_t, nest->cycle_count);
  for (uint32_t c = 0; c < nest->cycle_count; c++) {
    k->best[c] = (Candidate){no_gain, SR_NONE};
    k->within[c] = no_gain;
  }
  for (uint32_t r = 0; r < nest->count; r++)
    look_at_block(k, nest->order[r]);
  for (uint32_t c = nest->cycle_count; c-- > 0;) {
    uint32_t up = nest->cycles[c].parent;
    int64_t most = k->within[c] > k->best[c].gain ? k->within[c] : k->best[c].gain;
    if (up != SR_NONE && k->within[up] < most)
      k->within[up] = most;
  }
}

/* ---- what forbids it ---- */

/* Does a lane's choice of a resource depend on the iteration of the loop? */
static bool has_index(const Find *k, uint32_t cycle) {
  SrModule *m = k->m;
  const SrCycle *c = cycle_at(k, cycle);
  for (uint32_t i = c->first; i <= c->last; i++)
    for (SR_EACH(m, r, k->f->blocks[k->out->nest->order[i]].list)) {
      uint32_t index = sr_resource_index(m, r), home = index ? m->home[index] : SR_NONE;
      if (home != SR_NONE && sr_cycle_has(k->out->nest, cycle, home))
        return true;
    }
  return false;
}

/* Puts the block into the arm's tail. False: the tail is then too large. */
static bool take(Find *k, SrRareArm *arm, uint64_t *instructions, uint32_t block) {
  if (sr_bit(k->in_tail, block))
    return true;
  sr_bit_set(k->in_tail, block);
  SR_PUSH(k->arena, &k->out->tail, block);
  arm->tail_count++;
  *instructions += k->size[block];
  return k->out->nest->inner[block] == arm->cycle && *instructions <= MOST_TAIL;
}

/* Puts into the tail the targets of a block's branch that lie in the same iteration and not in the
 * arm. */
static bool follow(Find *k, SrRareArm *arm, uint64_t *instructions, uint32_t block) {
  for (SR_SUCCS(t, k->out->graph, block))
    if (*t != arm->header && sr_cycle_has(k->out->nest, arm->cycle, *t) &&
        !sr_rare_has(k->out, arm, *t) && !take(k, arm, instructions, *t))
      return false;
  return true;
}

/* Finds the code after the arm in an iteration. False: that is too much to copy. */
static bool find_tail(Find *k, SrRareArm *arm, uint64_t *instructions) {
  const SrRareArms *o = k->out;
  const SrCycle *c = cycle_at(k, arm->cycle);
  bool fits = true;
  arm->tail = o->tail.count;
  for (uint32_t r = c->first; r <= c->last && fits; r++)
    if (sr_rare_has(o, arm, o->nest->order[r]))
      fits = follow(k, arm, instructions, o->nest->order[r]);
  for (uint32_t i = arm->tail; i < o->tail.count && fits; i++)
    fits = follow(k, arm, instructions, o->tail.at[i]);
  return fits;
}

static bool has_stuck(const Find *k, const SrRareArm *arm) {
  for (uint32_t i = arm->tail; i < arm->tail + arm->tail_count; i++)
    if (sr_bit(k->stuck, k->out->tail.at[i]))
      return true;
  return false;
}

/* ---- choice ---- */

/* Why the arm cannot be moved; NULL: it can, and its tail has been found. */
static const char *forbids(Find *k, SrRareArm *arm) {
  const SrCycle *c = cycle_at(k, arm->cycle);
  uint64_t instructions = 0;
  if (k->talked[c->last + 1] != k->talked[c->first])
    return "lanes may communicate in it";
  k->work += c->last + 1 - c->first;
  if (k->work > (uint64_t)WORK * k->f->block_count)
    return "too many loops around it were looked at in vain";
  if (!k->any && sr_trip_count(&k->trips, arm->cycle) <= FEW_ITERATIONS)
    return "a counter says that it has only a few iterations";
  if (has_index(k, arm->cycle))
    return "it indexes an array of resources, and the index may have to be the same for all lanes";
  if (!find_tail(k, arm, &instructions))
    return "what follows its arm in an iteration has a loop, or more than 16 instructions to copy";
  if (has_stuck(k, arm))
    return "no phi may hold a value in it that would be copied";
  if ((k->copied + instructions) * 100 > k->total * k->choice->max_growth)
    return "more code would be copied than --max-growth allows";
  k->copied += instructions;
  return NULL;
}

static void mark(const SrRareArms *o, const SrRareArm *arm, uint32_t number) {
  const SrCycle *c = &o->nest->cycles[arm->cycle];
  for (uint32_t r = c->first; r <= c->last; r++)
    o->arm_of[o->nest->order[r]] = number;
}

/* Takes the cycle's candidate, unless that is forbidden. */
static bool try(Find *k, uint32_t cycle) {
  SrRareArms *o = k->out;
  SrRareArm arm = {
      .cycle = cycle, .header = cycle_at(k, cycle)->header, .block = k->best[cycle].block};
  uint32_t tail = o->tail.count;
  const char *reason = forbids(k, &arm);
  for (uint32_t i = tail; i < o->tail.count; i++)
    sr_bit_clear(k->in_tail, o->tail.at[i]);
  if (reason) {
    say(k, cycle, reason);
    o->tail.count = tail;
    return false;
  }
  mark(o, &arm, o->arm.count);
  SR_PUSH(k->arena, &o->arm, arm);
  return true;
}

/* Gives the notice about a loop that has no arm but lies in a loop. */
static void advise(Find *k, const SrBits *left_apart, uint32_t cycle) {
  uint32_t up = cycle_at(k, cycle)->parent;
  if (k->best[cycle].block == SR_NONE && up != SR_NONE && k->best[up].block == SR_NONE &&
      sr_bit(left_apart, cycle))
    say(k, up,
        "it has no arm, but a loop that lanes leave in different iterations; merge-iterations may "
        "help");
}

/* By cycle: lanes leave it at a divergent branch that lies in none of its inner cycles. */
static SrBits *find_left_apart(const Find *k) {
  const SrRareArms *o = k->out;
  SrBits *apart = sr_bits_new(k->arena, o->nest->cycle_count);
  for (uint32_t r = 0; r < o->nest->count; r++) {
    uint32_t b = o->nest->order[r], cycle = o->nest->inner[b];
    for (SR_SUCCS(t, o->graph, b))
      if (cycle != SR_NONE && !sr_cycle_has(o->nest, cycle, *t) && diverges(k, b))
        sr_bit_set(apart, cycle);
  }
  return apart;
}

static void choose(Find *k) {
  const SrNest *nest = k->out->nest;
  const SrBits *left_apart = find_left_apart(k);
  for (uint32_t c = 0, end = 0; c < nest->cycle_count; c++) {
    const Candidate *best = &k->best[c];
    if (best->block == SR_NONE)
      advise(k, left_apart, c);
    else if (!k->any && best->gain <= 0)
      say(k, c, "its arm does not cost more than four times as much as the rest of it");
    else if (nest->cycles[c].first < end || best->gain < k->within[c])
      say(k, c, "an arm of a loop in it, or around it, gains more");
    else if (try(k, c))
      end = nest->cycles[c].last + 1;
  }
}

/* ---- recorded paths ---- */

/* Drops the arms that would not make the function issue less. */
static void keep_gaining(Find *k) {
  SrRareArms *o = k->out;
  const SrLoopIssues *issues =
      sr_rare_gain(k->arena, o, k->f->block_count, k->cost, k->choice->paths);
  uint32_t count = 0;
  for (uint32_t i = 0; i < o->arm.count; i++) {
    const SrRareArm arm = o->arm.at[i];
    bool gains = issues[i].after < issues[i].before;
    if (!gains)
      say(k, arm.cycle, sr_loop_no_gain(k->arena, &issues[i]));
    mark(o, &arm, gains ? count : SR_NONE);
    o->arm.at[count] = arm;
    count += gains;
  }
  o->arm.count = count;
}

SrRareArms sr_rare_arms(SrArena *arena, SrModule *m, const SrFunction *f,
                        const SrRareChoice *choice) {
  SrRareArms out = {.graph = sr_cfg_build(arena, m, f)};
  out.nest = sr_nest_build(arena, out.graph);
  out.arm_of = sr_new_none(arena, f->block_count);
  if (!out.nest->cycle_count)
    return out;
  out.dom = sr_dom_build(arena, out.graph, 0);
  Find k = {.arena = arena, .m = m, .f = f, .choice = choice, .out = &out};
  k.any = choice->all || choice->paths;
  k.stuck = sr_ssa_stuck_blocks(arena, m, f, out.nest);
  k.in_tail = sr_bits_new(arena, f->block_count);
  count(&k);
  k.arms = sr_arms_build(arena, out.graph, out.nest, out.dom, k.cost);
  k.trips = sr_trip_count_begin(arena, m, f, out.graph, out.nest);
  find_candidates(&k);
  choose(&k);
  sr_trip_count_end(&k.trips);
  if (out.arm.count && choice->paths)
    keep_gaining(&k);
  return out;
}
