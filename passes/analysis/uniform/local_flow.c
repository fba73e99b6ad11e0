/* SPDX-License-Identifier: Apache-2.0 */
/* local_flow: see local_flow.h. A function is walked twice: the *scan* finds the blocks that set
 * each slot, and the slots that a block takes from its predecessors, which alone need phis; the
 * *renaming*, in preorder of the dominator tree, knows each slot's value `now` and undoes what a
 * subtree has set. Both visit the same accesses, as `take` and `set`. */
#include "passes/analysis/uniform/local_flow.h"

#include "passes/analysis/graph/frontier.h"
#include "passes/analysis/uniform/dataflow.h"
#include "passes/analysis/uniform/local_slots.h"
#include "passes/ir/pointer.h"

/* Limit the steps that placing phis takes in the whole module. */
enum { BUDGET = 1 << 22, BUDGET_PER_BLOCK = 64 };

typedef struct Slot {
  uint32_t root, now;
  uint32_t set_in; /* scan: the last block that set it */
  bool live_in;    /* a block takes it from its predecessors */
} Slot;

typedef struct Phi {
  uint32_t node, slot, next; /* next: of the same block, an index; SR_NONE */
} Phi;

typedef struct Undo {
  uint32_t slot, value;
} Undo;

typedef struct Level {
  uint32_t block, undo;
} Level;

typedef struct Flow {
  SrArena *arena, lists, scratch; /* lists: until the end; scratch: of one function */
  const SrModule *m;
  const uint32_t *base;
  SrLocalFlow *flow;
  SrLocalSlots *slots;
  uint32_t *slot_of;         /* by root: its first slot in this function; SR_NONE */
  uint32_t *enters, *leaves; /* by parameter: its first PARAMETER, RETURN node; SR_NONE */
  uint32_t unset;            /* the UNDEFINED node of functions that are not called */
  SR_VEC(uint32_t) operand;  /* by index of a node: a value that reaches it, or SR_NONE */
  SrRowItems out, of_block, of_function;
  uint64_t budget;
  /* Of one function: */
  uint32_t index;
  bool starts, renaming;
  const SrGraph *g;
  const SrDom *dom;
  SR_VEC(Slot) slot;
  SR_VEC(uint32_t) roots;
  SrRowItems sets; /* by slot: blocks */
  uint32_t *first_phi;
  SR_VEC(Phi) phis;
  SR_VEC(Undo) undo;
} Flow;

/* ---- nodes and edges ---- */

static uint32_t add_node(Flow *k, SrLocalKind kind, uint32_t place) {
  uint32_t index = k->flow->nodes.count;
  SR_PUSH(k->arena, &k->flow->nodes, (SrLocalNode){kind, place, false});
  SR_PUSH(&k->lists, &k->operand, SR_NONE);
  if (kind == SR_LOCAL_PHI || kind == SR_LOCAL_MIX)
    SR_PUSH(&k->lists, &k->of_block, (SrRowItem){place, index});
  else if (kind != SR_LOCAL_UNDEFINED)
    SR_PUSH(&k->lists, &k->of_function, (SrRowItem){place, index});
  return k->flow->first + index;
}

static void add_edge(Flow *k, uint32_t from, uint32_t to, uint32_t block) {
  bool differs = from < k->flow->first ? sr_dataflow_may_differ(k->m, from) : from != k->unset;
  if (!differs)
    return;
  SR_PUSH(&k->lists, &k->out, (SrRowItem){from, k->flow->edges.count});
  SR_PUSH(k->arena, &k->flow->edges, (SrLocalEdge){to, k->base[k->index] + block});
}

/* The node is given one more value. A phi's own value is not a choice. */
static void add_operand(Flow *k, uint32_t node, uint32_t value, uint32_t block) {
  uint32_t index = node - k->flow->first;
  if (value == node)
    return;
  if (k->operand.at[index] == SR_NONE)
    k->operand.at[index] = value;
  else if (k->operand.at[index] != value)
    k->flow->nodes.at[index].chooses = true;
  add_edge(k, value, node, block);
}

static bool is_undefined(const Flow *k, uint32_t value) {
  return value == k->flow->leftover || value == k->unset;
}

/* ---- slots ---- */

static void set(Flow *k, uint32_t slot, uint32_t value, uint32_t block) {
  Slot *s = &k->slot.at[slot];
  if (k->renaming) {
    SR_PUSH(&k->scratch, &k->undo, (Undo){slot, s->now});
    s->now = value;
  } else if (s->set_in != block) {
    s->set_in = block;
    SR_PUSH(&k->scratch, &k->sets, (SrRowItem){slot, block});
  }
}

/* The value of the slot, in the renaming. */
static uint32_t take(Flow *k, uint32_t slot, uint32_t block) {
  Slot *s = &k->slot.at[slot];
  s->live_in |= !k->renaming && s->set_in != block;
  return s->now;
}

static uint32_t first_value(const Flow *k, uint32_t root, uint32_t slot) {
  SrRef def = sr_def(k->m, root);
  if (k->enters[root] != SR_NONE)
    return k->enters[root] + slot;
  uint32_t initializer = sr_variable_initializer(k->m, def);
  if (initializer)
    return initializer;
  bool fresh = k->starts || sr_pointer_class(k->m, root) == SpvStorageClassPrivate;
  return fresh ? k->unset : k->flow->leftover;
}

/* The first slot of a place. The function's start sets the slots of a root. */
static uint32_t slot_at(Flow *k, const SrLocalPlace *place, uint32_t width) {
  uint32_t root = place->root;
  if (k->slot_of[root] == SR_NONE) {
    k->slot_of[root] = k->slot.count;
    SR_PUSH(&k->scratch, &k->roots, root);
    for (uint32_t i = 0; i < width; i++) {
      SR_PUSH(&k->scratch, &k->sets, (SrRowItem){k->slot.count, 0});
      SR_PUSH(&k->scratch, &k->slot, (Slot){root, first_value(k, root, i), 0, false});
    }
  }
  return k->slot_of[root] + place->first;
}

/* Finds the slots that a pointer points to: `count` slots, the first of which is `first`. */
static bool find_slots(Flow *k, uint32_t pointer, uint32_t *first, SrLocalPlace *place) {
  SrLocalPlace all;
  if (!sr_local_place(k->slots, pointer, place))
    return false;
  (void)sr_local_place(k->slots, place->root, &all);
  *first = slot_at(k, place, all.count);
  return true;
}

/* ---- accesses ---- */

static void visit_load(Flow *k, SrRef r, uint32_t block) {
  SrLocalPlace place;
  uint32_t s;
  if (!find_slots(k, sr_words(k->m, r)[3], &s, &place))
    return;
  for (uint32_t i = 0; i < place.count; i++) {
    uint32_t value = take(k, s + i, block);
    if (k->renaming)
      add_edge(k, value, sr_inst(k->m, r)->result, block);
  }
}

/* The slot's own value, unless it is undefined, mixed with what is stored or comes out of a call. */
static void mix(Flow *k, uint32_t slot, uint32_t block, uint32_t with, uint32_t pointer) {
  uint32_t old = take(k, slot, block), node = 0;
  if (k->renaming) {
    node = add_node(k, SR_LOCAL_MIX, k->base[k->index] + block);
    if (!is_undefined(k, old))
      add_edge(k, old, node, block);
    add_edge(k, with, node, block);
    if (pointer)
      add_edge(k, pointer, node, block);
  }
  set(k, slot, node, block);
}

static void visit_store(Flow *k, SrRef r, uint32_t block) {
  const uint32_t *w = sr_words(k->m, r);
  SrLocalPlace place;
  uint32_t s;
  if (!find_slots(k, w[1], &s, &place))
    return;
  for (uint32_t i = 0; i < place.count; i++)
    if (place.whole)
      set(k, s + i, w[2], block);
    else
      mix(k, s + i, block, w[2], w[1] == place.root ? 0 : w[1]);
}

/* What comes out of the callee takes the slot's place. */
static void come_out(Flow *k, uint32_t slot, uint32_t leaves, uint32_t block) {
  uint32_t node = 0;
  if (k->renaming) {
    node = add_node(k, SR_LOCAL_MIX, k->base[k->index] + block);
    add_edge(k, leaves, node, block);
  }
  set(k, slot, node, block);
}

static void visit_call(Flow *k, SrRef r, uint32_t block) {
  const uint32_t *w = sr_words(k->m, r);
  const SrRows *parameters = &k->slots->parameters;
  uint32_t f = k->slots->function_at[w[3]], i = 4, count = sr_word_count(k->m, r), s;
  SrLocalPlace place;
  if (f == SR_NONE)
    return;
  for (SR_NUMBERS(p, *parameters, f)) {
    uint32_t given = i < count ? w[i++] : 0;
    if (!given || !find_slots(k, given, &s, &place))
      continue;
    for (uint32_t n = 0; n < place.count; n++) {
      uint32_t value = take(k, s + n, block);
      if (k->renaming)
        add_edge(k, value, k->enters[*p] + n, block);
      if (k->leaves[*p] != SR_NONE)
        come_out(k, s + n, k->leaves[*p] + n, block);
    }
  }
}

static void visit_return(Flow *k, uint32_t block) {
  const SrRows *parameters = &k->slots->parameters;
  SrLocalPlace place;
  uint32_t s;
  for (SR_NUMBERS(p, *parameters, k->index)) {
    if (k->leaves[*p] == SR_NONE || !find_slots(k, *p, &s, &place))
      continue;
    for (uint32_t i = 0; i < place.count; i++) {
      uint32_t value = take(k, s + i, block);
      if (k->renaming)
        add_operand(k, k->leaves[*p] + i, value, block);
    }
  }
}

static void visit_block(Flow *k, uint32_t block) {
  const SrModule *m = k->m;
  for (SR_EACH(m, r, m->functions[k->index].blocks[block].list))
    switch (sr_inst(m, r)->op) {
    case SpvOpLoad:
      visit_load(k, r, block);
      break;
    case SpvOpStore:
      visit_store(k, r, block);
      break;
    case SpvOpFunctionCall:
      visit_call(k, r, block);
      break;
    case SpvOpReturn:
    case SpvOpReturnValue:
      visit_return(k, block);
      break;
    default:
      break;
    }
}

/* ---- phis ---- */

static void place_phi(Flow *k, uint32_t slot, uint32_t block) {
  uint32_t node = add_node(k, SR_LOCAL_PHI, k->base[k->index] + block);
  SR_PUSH(&k->scratch, &k->phis, (Phi){node, slot, k->first_phi[block]});
  k->first_phi[block] = k->phis.count - 1;
}

static void place_phis_of(Flow *k, uint32_t slot, const uint32_t *blocks, uint32_t count) {
  uint32_t steps = k->g->count + k->g->succ_at[k->g->count];
  if (k->budget < steps) {
    sr_bit_set(k->slots->not_followed, sr_memory_cell(k->slots->memory, k->slot.at[slot].root));
    return;
  }
  k->budget -= steps;
  SrArena scratch = sr_arena_new(k->arena->heap);
  const SrBits *found = sr_frontier(&scratch, k->g, k->dom, blocks, count);
  for (uint32_t b = 0; b < k->g->count; b++)
    if (sr_bit(found, b))
      place_phi(k, slot, b);
  sr_arena_free(&scratch);
}

static void place_phis(Flow *k) {
  SrRows sets = sr_rows_new(&k->scratch, k->slot.count, &k->sets);
  k->first_phi = sr_new_none(&k->scratch, k->g->count);
  for (uint32_t s = 0; s < k->slot.count; s++) {
    uint32_t count = sets.at[s + 1] - sets.at[s];
    if (k->slot.at[s].live_in && count > 1) /* one block: the function's start */
      place_phis_of(k, s, &sets.number[sets.at[s]], count);
  }
}

/* ---- a function ---- */

static void undo_to(Flow *k, uint32_t count) {
  while (k->undo.count > count) {
    Undo u = SR_POP(&k->undo);
    k->slot.at[u.slot].now = u.value;
  }
}

static void rename_block(Flow *k, uint32_t block) {
  for (uint32_t i = k->first_phi[block]; i != SR_NONE; i = k->phis.at[i].next)
    set(k, k->phis.at[i].slot, k->phis.at[i].node, block);
  visit_block(k, block);
  for (SR_SUCCS(to, k->g, block))
    for (uint32_t i = k->first_phi[*to]; i != SR_NONE; i = k->phis.at[i].next)
      add_operand(k, k->phis.at[i].node, k->slot.at[k->phis.at[i].slot].now, *to);
}

static void rename_function(Flow *k) {
  SR_VEC(Level) levels = {0};
  k->renaming = true;
  for (uint32_t i = 0; i < k->dom->reached; i++) {
    uint32_t block = k->dom->preorder[i];
    while (levels.count && !sr_dominates(k->dom, SR_LAST(&levels).block, block))
      undo_to(k, SR_POP(&levels).undo);
    SR_PUSH(&k->scratch, &levels, (Level){block, k->undo.count});
    rename_block(k, block);
  }
  k->renaming = false;
}

/* Is there something to find: a load or a call that reads a variable, or a parameter that hands out
 * what was stored? */
static bool has_flow(const Flow *k, uint32_t f) {
  const SrModule *m = k->m;
  const SrRows *parameters = &k->slots->parameters;
  SrLocalPlace place;
  for (SR_NUMBERS(p, *parameters, f))
    if (k->leaves[*p] != SR_NONE)
      return true;
  for (uint32_t b = 0; b < m->functions[f].block_count; b++)
    for (SR_EACH(m, r, m->functions[f].blocks[b].list)) {
      uint16_t op = sr_inst(m, r)->op;
      if (op == SpvOpFunctionCall ||
          (op == SpvOpLoad && sr_local_place(k->slots, sr_words(m, r)[3], &place)))
        return true;
    }
  return false;
}

static void find_flow(Flow *k, uint32_t f, bool starts) {
  k->scratch = sr_arena_new(k->arena->heap);
  k->index = f;
  k->starts = starts;
  k->g = sr_cfg_build(&k->scratch, k->m, &k->m->functions[f]);
  k->dom = sr_dom_build(&k->scratch, k->g, 0);
  for (uint32_t i = 0; i < k->dom->reached; i++)
    visit_block(k, k->dom->preorder[i]);
  place_phis(k);
  rename_function(k);
  for (uint32_t i = 0; i < k->roots.count; i++)
    k->slot_of[k->roots.at[i]] = SR_NONE;
  sr_arena_free(&k->scratch);
  memset(&k->slot, 0, sizeof k->slot);
  memset(&k->roots, 0, sizeof k->roots);
  memset(&k->sets, 0, sizeof k->sets);
  memset(&k->phis, 0, sizeof k->phis);
  memset(&k->undo, 0, sizeof k->undo);
}

/* ---- the whole ---- */

static void add_parameters(Flow *k, uint32_t f) {
  const SrRows *parameters = &k->slots->parameters;
  SrLocalPlace place;
  for (SR_NUMBERS(p, *parameters, f)) {
    if (!sr_local_place(k->slots, *p, &place))
      continue;
    k->enters[*p] = k->flow->first + k->flow->nodes.count;
    for (uint32_t i = 0; i < place.count; i++)
      add_node(k, SR_LOCAL_PARAMETER, f);
    if (!sr_bit(k->slots->written, *p))
      continue;
    k->leaves[*p] = k->flow->first + k->flow->nodes.count;
    for (uint32_t i = 0; i < place.count; i++)
      add_node(k, SR_LOCAL_RETURN, f);
  }
}

SrLocalFlow *sr_local_flow_build(SrArena *arena, const SrModule *m, const SrMemory *memory,
                                 const uint32_t *base, const uint32_t *function_at,
                                 const SrBits *starts) {
  Flow k = {.arena = arena, .m = m, .base = base, .lists = sr_arena_new(arena->heap)};
  k.slots = sr_local_slots_build(&k.lists, arena, m, memory, function_at, starts);
  k.flow = SR_NEW(arena, SrLocalFlow, 1);
  k.flow->first = sr_bound(m);
  k.flow->not_followed = k.slots->not_followed;
  k.flow->leftover = add_node(&k, SR_LOCAL_UNDEFINED, SR_NONE);
  k.unset = add_node(&k, SR_LOCAL_UNDEFINED, SR_NONE);
  k.slot_of = sr_new_none(&k.lists, sr_bound(m));
  k.enters = sr_new_none(&k.lists, sr_bound(m));
  k.leaves = sr_new_none(&k.lists, sr_bound(m));
  k.budget = BUDGET + (uint64_t)BUDGET_PER_BLOCK * base[m->function_count];
  for (uint32_t f = 0; f < m->function_count; f++)
    add_parameters(&k, f);
  for (uint32_t f = 0; f < m->function_count; f++)
    if (has_flow(&k, f))
      find_flow(&k, f, sr_bit(starts, f));
  k.flow->out = sr_rows_new(arena, k.flow->first + k.flow->nodes.count, &k.out);
  k.flow->of_block = sr_rows_new(arena, base[m->function_count], &k.of_block);
  k.flow->of_function = sr_rows_new(arena, m->function_count, &k.of_function);
  sr_arena_free(&k.lists);
  return k.flow;
}
