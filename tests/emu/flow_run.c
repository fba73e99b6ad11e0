/* SPDX-License-Identifier: Apache-2.0 */
/* flow_run: see flow_run.h. */
#include "tests/emu/flow_run.h"
#include "spv-emu/policy/table/policy_table.h"
#include "tests/unit/unit.h"

typedef struct Run {
  SrArena *arena;
  const EmuBlockTable *table;
  const EmuPolicy *policy;
  uint32_t lanes, words;
  FlowChoose *choose;
  void *user;
  FlowTrace *trace;
  uint32_t *at;     /* by lane: its block, SR_NONE: ended */
  uint32_t *visits; /* by lane and block */
  uint32_t *back;   /* by lane and function: the block it returns to */
  uint32_t *slot;   /* by block: its target in this step, or SR_NONE */
  SR_VEC(EmuTarget) targets;
} Run;

/* ---- one step -------------------------------------------------------------------------------- */

static uint32_t target_of(Run *r, uint32_t lane, uint32_t block, EmuWent *went) {
  const EmuBlockTable *table = r->table;
  uint32_t f = table->function[block], first = table->functions[f].first;
  if (table->callee[block] != SR_NONE) {
    uint32_t callee = table->callee[block];
    went->kind = EMU_WENT_CALL;
    r->back[(size_t)lane * table->function_count + callee] = table->next[block];
    return table->functions[callee].first;
  }
  const SrGraph *g = table->functions[f].graph;
  if (!sr_succ_count(g, block - first)) {
    if (f == table->entry_function || !sr_succ_count(table->graph, block))
      return SR_NONE;
    went->kind = EMU_WENT_RETURN;
    return r->back[(size_t)lane * table->function_count + f];
  }
  uint32_t visit = r->visits[(size_t)lane * table->count + block]++;
  uint32_t i = r->choose(r->user, lane, block, visit);
  assert_true(i == SR_NONE || i < sr_succ_count(g, block - first));
  return i == SR_NONE ? SR_NONE : first + g->succ[g->succ_at[block - first] + i];
}

static void move_lanes(Run *r, uint32_t block, const EmuMask *on, EmuWent *went) {
  r->targets.count = 0;
  for (EMU_EACH_LANE(lane, on, r->words)) {
    assert_int_equal(r->at[lane], block);
    SR_PUSH(r->arena, &r->trace->paths[lane].blocks, block);
    uint32_t t = r->at[lane] = target_of(r, lane, block, went);
    if (t == SR_NONE) {
      emu_mask_set(&went->gone, lane);
      continue;
    }
    if (r->slot[t] == SR_NONE) {
      r->slot[t] = r->targets.count;
      SR_PUSH(r->arena, &r->targets, (EmuTarget){.block = t});
    }
    emu_mask_set(&r->targets.at[r->slot[t]].lanes, lane);
  }
  for (uint32_t i = 0; i < r->targets.count; i++)
    r->slot[r->targets.at[i].block] = SR_NONE;
}

/* The targets of a branch are in operand order, those of returns by ascending block. */
static uint32_t rank_of(const Run *r, const EmuWent *went, uint32_t block, uint32_t target) {
  uint32_t f = r->table->function[block], first = r->table->functions[f].first, i = 0;
  if (went->kind != EMU_WENT_BRANCH)
    return target;
  for (SR_SUCCS(t, r->table->functions[f].graph, block - first)) {
    if (first + *t == target)
      return i;
    i++;
  }
  return i;
}

static void sort_targets(Run *r, EmuWent *went, uint32_t block) {
  for (uint32_t i = 1; i < r->targets.count; i++)
    for (uint32_t k = i; k && rank_of(r, went, block, r->targets.at[k].block) <
                                  rank_of(r, went, block, r->targets.at[k - 1].block);
         k--) {
      EmuTarget t = r->targets.at[k];
      r->targets.at[k] = r->targets.at[k - 1];
      r->targets.at[k - 1] = t;
    }
}

static void record(Run *r, uint32_t block, const EmuMask *on) {
  uint32_t lanes = emu_mask_count(on, r->words);
  uint64_t hash = on->w[0];
  for (uint32_t i = 1; i < r->words; i++)
    hash = (hash ^ on->w[i]) * 0x9e3779b97f4a7c15u + (hash >> 29);
  SR_PUSH(r->arena, &r->trace->steps, (FlowStep){block, lanes, hash});
  *(lanes ? &r->trace->issues : &r->trace->noops) += r->table->issues[block];
  r->trace->lane_issues += (uint64_t)lanes * r->table->issues[block];
}

/* ---- a run ----------------------------------------------------------------------------------- */

static void run_once(Run *r, void *state) {
  EmuMask on;
  uint32_t block, count = r->table->count;
  r->trace->paths = SR_NEW(r->arena, FlowPath, r->lanes);
  memset(r->visits, 0, (size_t)r->lanes * count * sizeof *r->visits);
  for (uint32_t lane = 0; lane < r->lanes; lane++)
    r->at[lane] = r->table->functions[r->table->entry_function].first;
  emu_mask_first(&on, r->lanes, r->words);
  r->policy->start(state, &on);
  memset(&on, 0xff, sizeof on);
  while (r->policy->next(state, &block, &on)) {
    EmuWent went = {.kind = EMU_WENT_BRANCH};
    if (r->policy != &emu_policy_tf_sandy)
      assert_true(emu_mask_any(&on, r->words));
    record(r, block, &on);
    move_lanes(r, block, &on, &went);
    sort_targets(r, &went, block);
    went.count = r->targets.count;
    went.targets = r->targets.at;
    r->policy->went(state, &went);
  }
  for (uint32_t lane = 0; lane < r->lanes; lane++)
    assert_int_equal(r->at[lane], SR_NONE);
}

FlowTrace *flow_run(SrArena *arena, const EmuBlockTable *table, const EmuPolicy *policy,
                    uint32_t lanes, FlowChoose *choose, void *user) {
  FlowTrace *trace = SR_NEW(arena, FlowTrace, 1);
  Run r = {.arena = arena,
           .table = table,
           .policy = policy,
           .lanes = lanes,
           .words = (lanes + 63) / 64,
           .choose = choose,
           .user = user,
           .trace = trace,
           .at = sr_new_none(arena, lanes),
           .visits = SR_NEW(arena, uint32_t, (size_t)lanes * table->count),
           .back = sr_new_none(arena, (size_t)lanes * table->function_count),
           .slot = sr_new_none(arena, table->count)};
  assert_null(policy->refuses(arena, table));
  run_once(&r, policy->create(arena, table, emu_policy_plan(policy, arena, table), lanes,
                              &trace->counts));
  return trace;
}

/* ---- lanes ----------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t h, uint64_t x) {
  h = (h ^ x) * 0xff51afd7ed558ccdu;
  h ^= h >> 32;
  return h * 0xc4ceb9fe1a85ec53u ^ h >> 29;
}

/* The successor on the shortest path to a leaf, by breadth-first search from the leaves. */
static void find_ways_out(SrArena *arena, const EmuFunctionBlocks *fn, uint32_t *way) {
  const SrGraph *g = fn->graph;
  uint32_t *queue = SR_NEW_RAW(arena, uint32_t, fn->count), head = 0, tail = 0;
  SrBits *met = sr_bits_new(arena, fn->count);
  for (uint32_t b = 0; b < fn->count; b++)
    if (!sr_succ_count(g, b)) {
      sr_bit_set(met, b);
      queue[tail++] = b;
    }
  while (head < tail) {
    uint32_t b = queue[head++];
    for (SR_PREDS(q, g, b)) {
      if (sr_bit(met, *q))
        continue;
      sr_bit_set(met, *q);
      queue[tail++] = *q;
      uint32_t i = 0;
      while (g->succ[g->succ_at[*q] + i] != b)
        i++;
      way[fn->first + *q] = i;
    }
  }
}

FlowRandom flow_random(SrArena *arena, const EmuBlockTable *table, uint64_t seed,
                       uint32_t patience) {
  FlowRandom r = {table, seed, patience, sr_new_none(arena, table->count)};
  for (uint32_t f = 0; f < table->function_count; f++)
    find_ways_out(arena, &table->functions[f], r.way_out);
  return r;
}

uint32_t flow_random_choose(void *random, uint32_t lane, uint32_t block, uint32_t visit) {
  const FlowRandom *r = random;
  const EmuFunctionBlocks *fn = &r->table->functions[r->table->function[block]];
  if (visit >= r->patience)
    return r->way_out[block];
  uint64_t h = mix(mix(r->seed, block), visit);
  if (mix(r->seed, block + 77) % 3)
    h = mix(h, lane);
  return (uint32_t)(h >> 20) % sr_succ_count(fn->graph, block - fn->first);
}

FlowScript flow_script(SrArena *arena, const EmuBlockTable *table, const FlowBuild *build,
                       const char *paths) {
  FlowScript s = {.table = table, .count = 1};
  for (const char *c = paths; *c; c++)
    s.count += *c == '|';
  s.paths = SR_NEW(arena, FlowPath, s.count);
  s.at = SR_NEW(arena, uint32_t, s.count);
  FlowPath *path = s.paths;
  for (const char *c = paths; *c;) {
    size_t n = strcspn(c, " |");
    if (n)
      SR_PUSH(arena, &path->blocks, flow_find(build, c, n));
    c += n;
    path += *c == '|';
    c += *c != 0;
  }
  return s;
}

uint32_t flow_script_choose(void *script, uint32_t lane, uint32_t block, uint32_t visit) {
  FlowScript *s = script;
  const FlowPath *path = &s->paths[lane];
  const SrGraph *g = s->table->graph;
  uint32_t at = s->at[lane]++, i = 0;
  (void)visit;
  assert_true(at < path->blocks.count && path->blocks.at[at] == block);
  if (at + 1 == path->blocks.count)
    return SR_NONE;
  for (SR_SUCCS(t, g, block)) {
    if (*t == path->blocks.at[at + 1])
      return i;
    i++;
  }
  fail_msg("lane %u cannot go on from step %u", lane, at);
  return SR_NONE;
}
