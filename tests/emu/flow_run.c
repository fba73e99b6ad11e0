/* flow_run: see flow_run.h. */
#include "flow_run.h"
#include "unit.h"

typedef struct Run {
  SrArena *arena;
  const EmuFlow *flow;
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
  const EmuFlow *flow = r->flow;
  uint32_t f = flow->function[block], first = flow->functions[f].first;
  if (flow->callee[block] != SR_NONE) {
    uint32_t callee = flow->callee[block];
    went->kind = EMU_WENT_CALL;
    r->back[(size_t)lane * flow->function_count + callee] = flow->next[block];
    return flow->functions[callee].first;
  }
  const SrGraph *g = flow->functions[f].graph;
  if (!sr_succ_count(g, block - first)) {
    if (f == flow->entry_function || !sr_succ_count(flow->graph, block))
      return SR_NONE;
    went->kind = EMU_WENT_RETURN;
    return r->back[(size_t)lane * flow->function_count + f];
  }
  uint32_t visit = r->visits[(size_t)lane * flow->count + block]++;
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

/* Operand order of a branch; rising blocks of returns. */
static uint32_t rank_of(const Run *r, const EmuWent *went, uint32_t block, uint32_t target) {
  uint32_t f = r->flow->function[block], first = r->flow->functions[f].first, i = 0;
  if (went->kind != EMU_WENT_BRANCH)
    return target;
  for (SR_SUCCS(t, r->flow->functions[f].graph, block - first)) {
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
  *(lanes ? &r->trace->issues : &r->trace->noops) += r->flow->issues[block];
  r->trace->lane_issues += (uint64_t)lanes * r->flow->issues[block];
}

/* ---- a run ----------------------------------------------------------------------------------- */

static void run_once(Run *r, void *state) {
  EmuMask on;
  uint32_t block, count = r->flow->count;
  r->trace->paths = SR_NEW(r->arena, FlowPath, r->lanes);
  memset(r->visits, 0, (size_t)r->lanes * count * sizeof *r->visits);
  for (uint32_t lane = 0; lane < r->lanes; lane++)
    r->at[lane] = r->flow->functions[r->flow->entry_function].first;
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

FlowTrace *flow_run(SrArena *arena, const EmuFlow *flow, const EmuPolicy *policy, uint32_t lanes,
                    FlowChoose *choose, void *user) {
  FlowTrace *trace = SR_NEW(arena, FlowTrace, 1);
  Run r = {.arena = arena,
           .flow = flow,
           .policy = policy,
           .lanes = lanes,
           .words = (lanes + 63) / 64,
           .choose = choose,
           .user = user,
           .trace = trace,
           .at = sr_new_none(arena, lanes),
           .visits = SR_NEW(arena, uint32_t, (size_t)lanes * flow->count),
           .back = sr_new_none(arena, (size_t)lanes * flow->function_count),
           .slot = sr_new_none(arena, flow->count)};
  assert_null(policy->refuses(arena, flow));
  run_once(
      &r, policy->create(arena, flow, emu_policy_plan(policy, arena, flow), lanes, &trace->counts));
  return trace;
}

/* ---- lanes ----------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t h, uint64_t x) {
  h = (h ^ x) * 0xff51afd7ed558ccdu;
  h ^= h >> 32;
  return h * 0xc4ceb9fe1a85ec53u ^ h >> 29;
}

/* The successor on the shortest way to a leaf, by breadth-first search from the leaves. */
static void find_ways_out(SrArena *arena, const EmuFlowFunction *fn, uint32_t *way) {
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

FlowRandom flow_random(SrArena *arena, const EmuFlow *flow, uint64_t seed, uint32_t patience) {
  FlowRandom r = {flow, seed, patience, sr_new_none(arena, flow->count)};
  for (uint32_t f = 0; f < flow->function_count; f++)
    find_ways_out(arena, &flow->functions[f], r.way_out);
  return r;
}

uint32_t flow_random_choose(void *random, uint32_t lane, uint32_t block, uint32_t visit) {
  const FlowRandom *r = random;
  const EmuFlowFunction *fn = &r->flow->functions[r->flow->function[block]];
  if (visit >= r->patience)
    return r->way_out[block];
  uint64_t h = mix(mix(r->seed, block), visit);
  if (mix(r->seed, block + 77) % 3)
    h = mix(h, lane);
  return (uint32_t)(h >> 20) % sr_succ_count(fn->graph, block - fn->first);
}

FlowScript flow_script(SrArena *arena, const EmuFlow *flow, const FlowBuild *build,
                       const char *paths) {
  FlowScript s = {.flow = flow, .count = 1};
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
  const SrGraph *g = s->flow->graph;
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
