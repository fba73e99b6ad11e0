/* cycle: see cycle.h. A work stack holds the strongly connected components still to be written
 * down, each a range of `member`; expanding a cycle replaces its range by its own components, so
 * all ranges together never exceed the blocks. Tarjan's algorithm finds components in reverse
 * topological order, and popping the stack turns that round. Cost: edges times cycle depth. */
#include "analysis/cycle.h"

typedef struct Component {
  uint32_t begin, end; /* range of member */
  uint32_t cycle;      /* the cycle it lies in, or SR_NONE */
  bool cyclic;
} Component;

typedef SR_VEC(Component) Components;
typedef SR_VEC(SrCycle) Cycles;

typedef struct Build {
  SrArena *arena, scratch;
  const SrGraph *g;
  SrNest *nest;
  Cycles cycles;
  Components work;
  uint32_t *rpo_rank;
  uint32_t *member;
  uint32_t *region; /* by block: the region it was last assigned to */
  uint32_t regions;
  SrBits *dropped; /* headers of opened cycles: edges to them no longer count */
  /* Tarjan's */
  uint32_t *index, *low, *next, *stack, *path;
  SrBits *on_stack;
} Build;

/* One component is complete: its blocks are on top of Tarjan's stack, `b` the lowest. */
static uint32_t pop_component(Build *k, uint32_t b, uint32_t *depth, uint32_t at, uint32_t cycle) {
  uint32_t begin = at, x;
  do {
    x = k->stack[--*depth];
    sr_bit_clear(k->on_stack, x);
    k->member[at++] = x;
  } while (x != b);
  bool cyclic = at - begin > 1;
  if (!cyclic && !sr_bit(k->dropped, b))
    for (SR_SUCCS(t, k->g, b))
      cyclic |= *t == b;
  SR_PUSH(&k->scratch, &k->work, (Component){begin, at, cycle, cyclic});
  return at;
}

static void enter(Build *k, uint32_t b, uint32_t *depth, uint32_t *length, uint32_t *count) {
  k->index[b] = k->low[b] = (*count)++;
  k->next[b] = sr_succ_count(k->g, b);
  k->stack[(*depth)++] = b;
  k->path[(*length)++] = b;
  sr_bit_set(k->on_stack, b);
}

/* Splits the region that `start` reaches into components, written to member[at…] and pushed as
 * work. Successors are visited in reverse order. */
static void split(Build *k, uint32_t start, uint32_t at, uint32_t cycle) {
  uint32_t region = k->regions, depth = 0, length = 0, count = 0;
  enter(k, start, &depth, &length, &count);
  while (length) {
    uint32_t b = k->path[length - 1];
    if (k->next[b]) {
      uint32_t t = k->g->succ[k->g->succ_at[b] + --k->next[b]];
      if (k->region[t] != region || sr_bit(k->dropped, t))
        continue;
      if (k->index[t] == SR_NONE)
        enter(k, t, &depth, &length, &count);
      else if (sr_bit(k->on_stack, t) && k->index[t] < k->low[b])
        k->low[b] = k->index[t];
      continue;
    }
    length--;
    if (length && k->low[b] < k->low[k->path[length - 1]])
      k->low[k->path[length - 1]] = k->low[b];
    if (k->low[b] == k->index[b])
      at = pop_component(k, b, &depth, at, cycle);
  }
}

static void open_cycle(Build *k, Component c) {
  SrCycle cycle = {.parent = c.cycle,
                   .depth = c.cycle == SR_NONE ? 1 : k->cycles.at[c.cycle].depth + 1,
                   .first = k->nest->count,
                   .last = k->nest->count + (c.end - c.begin) - 1,
                   .header = k->member[c.begin]};
  k->regions++;
  for (uint32_t i = c.begin; i < c.end; i++) {
    uint32_t b = k->member[i];
    k->region[b] = k->regions;
    k->index[b] = SR_NONE;
    if (k->rpo_rank[b] < k->rpo_rank[cycle.header])
      cycle.header = b;
  }
  for (uint32_t i = c.begin; i < c.end; i++)
    for (SR_PREDS(p, k->g, k->member[i]))
      if (k->region[*p] != k->regions && k->rpo_rank[*p] != SR_NONE) {
        cycle.entries++;
        break;
      }
  SR_PUSH(&k->scratch, &k->cycles, cycle);
  sr_bit_set(k->dropped, cycle.header);
  split(k, cycle.header, c.begin, k->cycles.count - 1);
}

static void place_block(Build *k, uint32_t b, uint32_t cycle) {
  k->nest->rank[b] = k->nest->count;
  k->nest->inner[b] = cycle;
  k->nest->order[k->nest->count++] = b;
}

static void allocate(Build *k) {
  uint32_t n = k->g->count;
  k->rpo_rank = sr_new_none(&k->scratch, n);
  k->member = SR_NEW_RAW(&k->scratch, uint32_t, n);
  k->region = SR_NEW(&k->scratch, uint32_t, n);
  k->dropped = sr_bits_new(&k->scratch, n);
  k->on_stack = sr_bits_new(&k->scratch, n);
  k->index = sr_new_none(&k->scratch, n);
  k->low = SR_NEW_RAW(&k->scratch, uint32_t, n);
  k->next = SR_NEW_RAW(&k->scratch, uint32_t, n);
  k->stack = SR_NEW_RAW(&k->scratch, uint32_t, n);
  k->path = SR_NEW_RAW(&k->scratch, uint32_t, n);
}

SrNest *sr_nest_build(SrArena *arena, const SrGraph *g) {
  SrNest *nest = SR_NEW(arena, SrNest, 1);
  *nest = (SrNest){.order = SR_NEW_RAW(arena, uint32_t, g->count),
                   .rank = sr_new_none(arena, g->count),
                   .inner = sr_new_none(arena, g->count)};
  Build k = {.arena = arena, .scratch = sr_arena_new(arena->heap), .g = g, .nest = nest};
  allocate(&k);
  uint32_t reached = sr_graph_rpo(&k.scratch, g, 0, true, k.member);
  for (uint32_t i = 0; i < reached; i++)
    k.rpo_rank[k.member[i]] = i;
  split(&k, 0, 0, SR_NONE);
  while (k.work.count) {
    Component c = SR_POP(&k.work);
    if (c.cyclic)
      open_cycle(&k, c);
    else
      place_block(&k, k.member[c.begin], c.cycle);
  }
  nest->cycle_count = k.cycles.count;
  nest->cycles = SR_NEW_RAW(arena, SrCycle, k.cycles.count);
  if (k.cycles.count)
    memcpy(nest->cycles, k.cycles.at, k.cycles.count * sizeof *k.cycles.at);
  sr_arena_free(&k.scratch);
  return nest;
}
