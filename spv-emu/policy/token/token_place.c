/* SPDX-License-Identifier: Apache-2.0 */
/* token_place: see token_place.h. */
#include "spv-emu/policy/token/token_place.h"

#include "spv-emu/policy/construct_order.h"

#include <assert.h>
#include <stdlib.h>

/* Limit on the instructions, because a deep nest with many edges into it needs a push for each
 * level and edge. */
enum { MOST_CODE = 1 << 24 };

/* What `to` refers to until every instruction has its index. */
typedef enum Via {
  VIA_LABEL, /* a block */
  VIA_DOOR,  /* carrier of a block */
  VIA_PLACE, /* index of an instruction */
  VIA_LEAVE, /* nothing: BRK or CONT */
} Via;

typedef struct Place {
  SrArena *arena, *scratch;
  const EmuBlockTable *table;
  EmuTokens *out;
  SR_VEC(uint8_t) code_via, arm_via; /* how to read code.at[…].to and arms.at[…].to */
  uint32_t *door;                    /* by block */
  /* For the current function, whose blocks are numbered from 0: */
  const EmuFunctionBlocks *fn;
  const EmuRegions *regions;
  uint32_t *land;     /* by region: where its lanes continue */
  uint32_t *of_point; /* by block: the region whose point it is, or SR_NONE */
  SR_VEC(uint32_t) pushes;
} Place;

static uint32_t emit(Place *p, EmuTokenInst inst, Via via) {
  SR_PUSH(p->arena, &p->out->code, inst);
  SR_PUSH(p->scratch, &p->code_via, (uint8_t)via);
  return p->out->code.count - 1;
}

static bool is_full(const Place *p) {
  return p->out->code.count + p->pushes.count >= MOST_CODE;
}

static const EmuRegion *region(const Place *p, uint32_t r) {
  return &p->regions->all.at[r];
}

/* ---- pushes ---------------------------------------------------------------------------------- */

/* `to` holds the region until the function is done, and then the place where the region's lanes
 * continue. */
static void emit_push(Place *p, uint32_t r) {
  emit(p,
       (EmuTokenInst){.op = EMU_TOKEN_PUSH,
                      .kind = (uint8_t)region(p, r)->kind,
                      .block = p->fn->first + region(p, r)->point,
                      .to = r},
       VIA_PLACE);
}

/* Pushes for the regions from `inner` up to the one inside `around`, outermost first. */
static void emit_pushes(Place *p, uint32_t around, uint32_t inner) {
  p->pushes.count = 0;
  for (; inner != around && !is_full(p); inner = region(p, inner)->outer)
    SR_PUSH(p->scratch, &p->pushes, inner);
  while (p->pushes.count)
    emit_push(p, SR_POP(&p->pushes));
}

/* Does an edge from a block that the point post-dominates lead into the region, or directly to the
 * point? (With an infinite loop, all paths may lead to a block that is not a post-dominator: see
 * the virtual exit in cfg.h.) */
static bool leads_in(const Place *p, uint32_t r, uint32_t from, uint32_t to) {
  uint32_t point = region(p, r)->point;
  return point != from && sr_dominates(p->regions->back, point, from) &&
         (point == to || emu_region_has(p->regions, r, to));
}

static bool is_inside(const EmuRegions *r, uint32_t inner, uint32_t outer) {
  return inner != SR_NONE &&
         (outer == SR_NONE || (r->all.at[outer].enter <= r->all.at[inner].enter &&
                               r->all.at[inner].leave <= r->all.at[outer].leave));
}

/* The innermost region whose token is on the stack at the block's branch, including the regions
 * that all edges of the block lead into. The successor furthest from the function's end is not the
 * point of a region that contains another successor. Tokens of regions that begin where the block
 * leaves its own region are pushed at the point instead. */
static uint32_t region_at_end(const Place *p, uint32_t block) {
  const EmuRegions *r = p->regions;
  uint32_t first = SR_NONE, in;
  for (SR_SUCCS(t, p->fn->graph, block))
    if (first == SR_NONE || r->far[*t] > r->far[first])
      first = *t;
  in = first == SR_NONE ? SR_NONE : r->of[first];
  for (SR_SUCCS(t, p->fn->graph, block))
    while (in != SR_NONE && !leads_in(p, in, block, *t))
      in = region(p, in)->outer;
  return is_inside(r, in, r->of[block]) ? in : r->of[block];
}

/* ---- edges ----------------------------------------------------------------------------------- */

typedef struct Jump {
  Via via;
  uint32_t to;
} Jump;

/* Emits the pushes that are needed before a block, if there are any. */
static Jump jump_in(Place *p, uint32_t around, uint32_t block) {
  uint32_t in = p->regions->of[block];
  if (in == around)
    return (Jump){VIA_LABEL, p->fn->first + block};
  assert(around == SR_NONE || emu_region_has(p->regions, around, block));
  Jump jump = {VIA_PLACE, p->out->code.count};
  emit_pushes(p, around, in);
  emit(p, (EmuTokenInst){.op = EMU_TOKEN_GO, .to = p->fn->first + block}, VIA_LABEL);
  return jump;
}

/* The same for an edge from the end of a block, where `in` is the innermost region. */
static Jump jump_to(Place *p, uint32_t in, uint32_t block) {
  if (in == SR_NONE || region(p, in)->point != block)
    return jump_in(p, in, block);
  if (region(p, in)->kind == EMU_REGION_SYNC)
    return (Jump){VIA_DOOR, p->fn->first + block};
  return (Jump){VIA_LEAVE, SR_NONE};
}

/* ---- blocks ---------------------------------------------------------------------------------- */

static void emit_door(Place *p, uint32_t block) {
  uint32_t r = p->of_point[block];
  if (r != SR_NONE && region(p, r)->kind == EMU_REGION_SYNC)
    p->door[p->fn->first + block] =
        emit(p, (EmuTokenInst){.op = EMU_TOKEN_SYNC, .block = p->fn->first + block}, VIA_PLACE);
}

/* Emits the place where lanes continue from the region whose point is `block`, with the pushes
 * there. */
static void emit_landing(Place *p, uint32_t block) {
  uint32_t r = p->of_point[block];
  if (r == SR_NONE)
    return;
  Jump jump = jump_in(p, region(p, r)->outer, block);
  p->land[r] = jump.via == VIA_LABEL ? p->out->label[jump.to] : jump.to;
}

/* Ranks the arms in the order in which they run, then sorts them by block. */
static void rank_arms(Place *p, uint32_t block, EmuTokenArm *arms, uint32_t count) {
  const SrNest *nest = p->regions->nest;
  uint32_t in = nest->inner[block], rank = 0;
  bool first_out = p->regions->leaves_cycle[block];
  for (uint32_t round = 0; round < 2; round++)
    for (uint32_t i = 0; i < count; i++) {
      bool out = in != SR_NONE && !sr_cycle_has(nest, in, arms[i].block - p->fn->first);
      if ((out == first_out) == (round == 0))
        arms[i].rank = rank++;
    }
}

typedef struct Sorted {
  EmuTokenArm arm;
  uint8_t via;
} Sorted;

static int by_block(const void *a, const void *b) {
  uint32_t x = ((const Sorted *)a)->arm.block, y = ((const Sorted *)b)->arm.block;
  return (x > y) - (x < y);
}

static void add_arms(Place *p, EmuTokenArm *arms, const uint8_t *via, uint32_t count) {
  Sorted *sorted = SR_NEW_RAW(p->scratch, Sorted, count);
  for (uint32_t i = 0; i < count; i++)
    sorted[i] = (Sorted){arms[i], via[i]};
  qsort(sorted, count, sizeof *sorted, by_block);
  for (uint32_t i = 0; i < count; i++) {
    SR_PUSH(p->arena, &p->out->arms, sorted[i].arm);
    SR_PUSH(p->scratch, &p->arm_via, sorted[i].via);
  }
}

static void emit_branch(Place *p, uint32_t block, uint32_t in) {
  uint32_t count = sr_succ_count(p->fn->graph, block), i = 0;
  EmuTokenArm *arms = SR_NEW(p->scratch, EmuTokenArm, count);
  uint8_t *via = SR_NEW(p->scratch, uint8_t, count);
  emit(p,
       (EmuTokenInst){.op = EMU_TOKEN_BRANCH,
                      .kind = in == SR_NONE ? 0 : (uint8_t)region(p, in)->kind,
                      .arm = p->out->arms.count,
                      .arms = count},
       VIA_PLACE);
  for (SR_SUCCS(t, p->fn->graph, block)) {
    Jump jump = jump_to(p, in, *t);
    arms[i] = (EmuTokenArm){.block = p->fn->first + *t, .to = jump.to};
    via[i++] = (uint8_t)jump.via;
  }
  rank_arms(p, block, arms, count);
  add_arms(p, arms, via, count);
}

/* Lanes return to the block after the call, which has no other predecessor, so it is not a
 * point. */
static void emit_call(Place *p, uint32_t block, uint32_t in) {
  uint32_t at = p->fn->first + block, callee = p->table->callee[at];
  uint32_t entry = p->table->functions[callee].first;
  uint32_t call = emit(p, (EmuTokenInst){.op = EMU_TOKEN_CALL, .block = entry}, VIA_PLACE);
  Jump jump = jump_in(p, in, p->table->next[at] - p->fn->first);
  p->out->code.at[call].to = jump.to;
  p->code_via.at[call] = (uint8_t)jump.via;
}

static void emit_block(Place *p, uint32_t block) {
  uint32_t at = p->fn->first + block, in = region_at_end(p, block);
  emit_door(p, block);
  p->out->label[at] = emit(p, (EmuTokenInst){.op = EMU_TOKEN_BODY, .block = at}, VIA_PLACE);
  emit_pushes(p, p->regions->of[block], in);
  if (p->table->callee[at] != SR_NONE)
    emit_call(p, block, in);
  else if (sr_succ_count(p->fn->graph, block))
    emit_branch(p, block, in);
  else
    emit(p, (EmuTokenInst){.op = EMU_TOKEN_END}, VIA_PLACE);
  emit_landing(p, block);
}

/* ---- functions ------------------------------------------------------------------------------- */

static void index_points(Place *p) {
  uint32_t count = p->regions->all.count;
  p->land = sr_new_none(p->scratch, count);
  p->of_point = sr_new_none(p->scratch, p->fn->count);
  for (uint32_t r = 0; r < count; r++)
    p->of_point[region(p, r)->point] = r;
}

static void place_function(Place *p, uint32_t f, const SrNest *nest) {
  uint32_t from = p->out->first[f] = p->out->code.count;
  p->fn = &p->table->functions[f];
  p->regions = emu_regions_build(p->scratch, p->table, p->fn, nest);
  index_points(p);
  Jump jump = jump_in(p, SR_NONE, 0);
  for (uint32_t i = 0; i < nest->count && !is_full(p); i++)
    emit_block(p, nest->order[i]);
  p->out->entry[f] = jump.via == VIA_LABEL ? p->out->label[jump.to] : jump.to;
  for (uint32_t i = from; i < p->out->code.count; i++)
    if (p->out->code.at[i].op == EMU_TOKEN_PUSH)
      p->out->code.at[i].to = p->land[p->out->code.at[i].to];
}

static uint32_t resolve(const Place *p, Via via, uint32_t to) {
  return via == VIA_LABEL ? p->out->label[to] : via == VIA_DOOR ? p->door[to] : to;
}

static void resolve_all(Place *p) {
  for (uint32_t i = 0; i < p->out->code.count; i++)
    p->out->code.at[i].to = resolve(p, (Via)p->code_via.at[i], p->out->code.at[i].to);
  for (uint32_t i = 0; i < p->out->arms.count; i++)
    p->out->arms.at[i].to = resolve(p, (Via)p->arm_via.at[i], p->out->arms.at[i].to);
}

/* ---- what cannot be placed ------------------------------------------------------------------- */

static const char *refuse_cycle(SrArena *arena, const EmuBlockTable *table,
                                const EmuFunctionBlocks *fn, const SrNest *nest) {
  for (uint32_t c = 0; c < nest->cycle_count; c++) {
    if (nest->cycles[c].entries == 1)
      continue;
    SrText text = {.arena = arena};
    emu_function_name(fn, &text);
    sr_text_add(&text,
                ", block %%%u: an irreducible cycle of %u entries has no edge for a token: "
                "run --transform=structurize",
                table->id[fn->first + nest->cycles[c].header], nest->cycles[c].entries);
    return sr_text_end(&text);
  }
  return NULL;
}

static const char *refuse_size(SrArena *arena, const EmuFunctionBlocks *fn) {
  SrText text = {.arena = arena};
  emu_function_name(fn, &text);
  sr_text_add(&text, ": its tokens take more than %u instructions: run --transform=structurize",
              (unsigned)MOST_CODE);
  return sr_text_end(&text);
}

EmuTokens *emu_tokens_place(SrArena *arena, const EmuBlockTable *table, const char **why) {
  SrArena scratch = sr_arena_new(arena->heap);
  EmuTokens *out = SR_NEW(arena, EmuTokens, 1);
  Place p = {.arena = arena, .scratch = &scratch, .table = table, .out = out};
  p.door = sr_new_none(&scratch, table->count);
  out->label = sr_new_none(arena, table->count);
  out->first = sr_new_none(arena, table->function_count);
  out->entry = sr_new_none(arena, table->function_count);
  *why = NULL;
  for (uint32_t f = 0; f < table->function_count && !*why; f++) {
    const SrNest *nest = sr_nest_build(&scratch, table->functions[f].graph);
    *why = refuse_cycle(arena, table, &table->functions[f], nest);
    if (*why)
      break;
    place_function(&p, f, nest);
    if (is_full(&p))
      *why = refuse_size(arena, &table->functions[f]);
  }
  if (!*why)
    resolve_all(&p);
  sr_arena_free(&scratch);
  return *why ? NULL : out;
}

const char *emu_push_name(uint32_t kind) {
  static const char *const names[] = {"SSY", "PBK", "PCNT"};
  return names[kind];
}

const char *emu_leave_name(uint32_t kind) {
  static const char *const names[] = {"SYNC", "BRK", "CONT"};
  return names[kind];
}

uint32_t emu_tokens_block(const EmuTokens *tokens, uint32_t at) {
  for (;;) {
    const EmuTokenInst *i = &tokens->code.at[at];
    if (i->op == EMU_TOKEN_BODY || i->op == EMU_TOKEN_SYNC)
      return i->block;
    at = i->op == EMU_TOKEN_GO ? i->to : at + 1;
  }
}
