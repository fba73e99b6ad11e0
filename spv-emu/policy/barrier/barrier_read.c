/* SPDX-License-Identifier: Apache-2.0 */
/* barrier_read: reads back the listing of convergence barriers (barrier_dump.c), perhaps edited.
 *
 * Barrier instructions, labels, and the labels that follow `by` may be changed. Bodies, their last
 * instructions and the blocks that these name belong to the module. The result is safe to run:
 * every block that the entry reaches has its body once, each body ends as the module's block does,
 * the program does not run past its end, and it has no cycle without a body. Lanes run the blocks
 * that the listing leads them to, even if their branch does not. */
#include "spv-emu/policy/barrier/barrier_text.h"
#include "spv-emu/policy/listing.h"

#include "passes/analysis/graph/cfg.h"
#include "passes/base/map.h"

enum { MOST_REGISTERS = 0xffff, MOST_TWINS = 0xffff, MOST_LABELS = 1 << 24 };

/* A place named before it is known. */
typedef struct Use {
  enum { USE_TO, USE_BACK, USE_ARM, USE_START } what;
  uint32_t at;    /* index of an instruction, or of an arm */
  uint32_t label; /* SR_NONE: the body of `block` */
  uint32_t block;
  uint32_t line;
} Use;

typedef struct Reader {
  EmuListing text;
  SrArena *arena, *scratch;
  const EmuBlockTable *table;
  EmuBarriers *out;
  SrMap barriers;          /* by register and twin: barrier */
  uint32_t block;          /* the block whose end has not been read yet, or SR_NONE */
  bool ended;              /* control does not continue after the last instruction */
  bool *reached;           /* by block */
  SR_VEC(uint32_t) labels; /* by number: instruction, or SR_NONE */
  SR_VEC(Use) uses;
} Reader;

/* ".3" */
static bool label(Reader *r, uint32_t *to) {
  if (!emu_listing_number(&r->text, MOST_LABELS, to))
    return false;
  emu_listing_blank(&r->text);
  while (r->labels.count <= *to)
    SR_PUSH(r->scratch, &r->labels, SR_NONE);
  return true;
}

static void use(Reader *r, int what, uint32_t at, uint32_t to_label, uint32_t to_block) {
  SR_PUSH(r->scratch, &r->uses, (Use){what, at, to_label, to_block, r->text.line});
}

/* ".3" or "%12" */
static bool place(Reader *r, int what, uint32_t at) {
  uint32_t to;
  if (emu_listing_take(&r->text, ".")) {
    if (!label(r, &to))
      return false;
    use(r, what, at, to, SR_NONE);
    return true;
  }
  if (!emu_listing_block(&r->text, &to))
    return false;
  use(r, what, at, SR_NONE, to);
  return true;
}

/* "%12" or "%12 by .3" */
static bool target(Reader *r, int what, uint32_t at, uint32_t *to) {
  uint32_t by = SR_NONE;
  if (!emu_listing_block(&r->text, to) || (emu_listing_take(&r->text, "by .") && !label(r, &by)))
    return false;
  use(r, what, at, by, *to);
  return true;
}

/* "B3" or "B3.1" */
static bool barrier(Reader *r, uint32_t *bar) {
  uint32_t reg, twin = 0;
  if (!emu_listing_take(&r->text, "B"))
    return emu_listing_fail(&r->text, "a barrier is missing, such as B0");
  if (!emu_listing_number(&r->text, MOST_REGISTERS, &reg) ||
      (*r->text.at == '.' && (r->text.at++, !emu_listing_number(&r->text, MOST_TWINS, &twin))))
    return false;
  emu_listing_blank(&r->text);
  uint32_t key = reg << 16 | twin;
  *bar = sr_map_get(&r->barriers, key);
  if (*bar != SR_NONE)
    return true;
  *bar = r->out->all.count;
  sr_map_set(&r->barriers, key, *bar);
  SR_PUSH(r->arena, &r->out->all, (EmuBarrier){.reg = reg, .twin = twin, .point = SR_NONE});
  return true;
}

/* ---- instructions ---------------------------------------------------------------------------- */

static EmuBarrierInst *emit(Reader *r, EmuBarrierOp op) {
  SR_PUSH(r->arena, &r->out->code, (EmuBarrierInst){.op = (uint8_t)op, .bar = SR_NONE});
  r->ended = false;
  return &SR_LAST(&r->out->code);
}

static bool may_be_inside(EmuBarrierOp op) {
  return op == EMU_BARRIER_BSSY || op == EMU_BARRIER_BREAK || op == EMU_BARRIER_BMOV;
}

static bool read_barrier_op(Reader *r, EmuBarrierOp op) {
  uint32_t bar = SR_NONE, point;
  if (!barrier(r, &bar))
    return false;
  emit(r, op)->bar = bar;
  if (op != EMU_BARRIER_BSSY)
    return true;
  if (!emu_listing_take(&r->text, ",") || !emu_listing_block(&r->text, &point))
    return emu_listing_fail(&r->text, "BSSY names a barrier and a block: BSSY B0, %12");
  r->out->all.at[bar].point = point;
  return true;
}

static bool read_escape(Reader *r) {
  uint32_t depth = SR_NONE;
  if (!emu_listing_take(&r->text, "none") && !emu_listing_number(&r->text, SR_NONE - 1, &depth))
    return false;
  emit(r, EMU_BARRIER_ESCAPE)->bar = depth;
  return true;
}

static bool read_test(Reader *r) {
  uint32_t depth;
  if (!emu_listing_number(&r->text, SR_NONE - 1, &depth) || !emu_listing_take(&r->text, ","))
    return emu_listing_fail(&r->text, "BRA.ESC names a depth and a place: BRA.ESC 2, .5");
  emit(r, EMU_BARRIER_TEST)->bar = depth;
  return place(r, USE_TO, r->out->code.count - 1);
}

/* Inserts an arm, in the order of blocks, into the branch whose arms begin at `first`. Uses of
 * later arms move along. */
static bool add_arm(Reader *r, uint32_t first, uint32_t to, uint32_t rank) {
  SR_PUSH(r->arena, &r->out->arms, (EmuBarrierArm){.block = to, .rank = rank});
  uint32_t at = r->out->arms.count - 1;
  for (; at > first && r->out->arms.at[at - 1].block > to; at--) {
    r->out->arms.at[at] = r->out->arms.at[at - 1];
    r->out->arms.at[at - 1] = (EmuBarrierArm){.block = to, .rank = rank};
  }
  for (uint32_t u = r->uses.count - 1;
       u-- > 0 && r->uses.at[u].what == USE_ARM && r->uses.at[u].at >= first;)
    r->uses.at[u].at += r->uses.at[u].at >= at;
  SR_LAST(&r->uses).at = at;
  return at == first || r->out->arms.at[at - 1].block != to ||
         emu_listing_fail(&r->text, "the branch names a block twice");
}

static bool leads_to(const Reader *r, uint32_t from, uint32_t to) {
  const EmuFunctionBlocks *fn = &r->table->functions[r->table->function[from]];
  for (SR_SUCCS(t, fn->graph, from - fn->first))
    if (fn->first + *t == to)
      return true;
  return false;
}

static bool read_branch(Reader *r) {
  uint32_t from = r->block, first = r->out->arms.count, rank = 0, to;
  const EmuFunctionBlocks *fn = &r->table->functions[r->table->function[from]];
  do {
    if (!target(r, USE_ARM, 0, &to))
      return false;
    if (!leads_to(r, from, to))
      return emu_listing_fail(&r->text, "the block does not branch there");
    if (!add_arm(r, first, to, rank++))
      return false;
  } while (emu_listing_take(&r->text, ", else"));
  if (rank != sr_succ_count(fn->graph, from - fn->first) || r->table->callee[from] != SR_NONE)
    return emu_listing_fail(&r->text, "the block does not end in this branch");
  EmuBarrierInst *i = emit(r, EMU_BARRIER_BRANCH);
  i->arm = first;
  i->arms = rank;
  return true;
}

static bool read_call(Reader *r) {
  uint32_t from = r->block, callee = r->table->callee[from], to, back;
  EmuBarrierInst *i = emit(r, EMU_BARRIER_CALL);
  uint32_t at = r->out->code.count - 1;
  if (!target(r, USE_TO, at, &to) || !emu_listing_take(&r->text, ", then") ||
      !target(r, USE_BACK, at, &back))
    return emu_listing_fail(&r->text, "CALL names the callee's entry and the block after it");
  if (callee == SR_NONE || r->table->functions[callee].first != to || r->table->next[from] != back)
    return emu_listing_fail(&r->text, "the block does not end in this call");
  i->block = to;
  return true;
}

static bool read_exit(Reader *r) {
  const EmuFunctionBlocks *fn = &r->table->functions[r->table->function[r->block]];
  if (r->table->callee[r->block] != SR_NONE || sr_succ_count(fn->graph, r->block - fn->first))
    return emu_listing_fail(&r->text, "the block does not end here");
  emit(r, EMU_BARRIER_END);
  return true;
}

/* Reads the last instruction of a body or, outside of bodies, "BRA PLACE". */
static bool read_end(Reader *r) {
  bool good;
  if (emu_listing_take(&r->text, "CALL"))
    good = read_call(r);
  else if (emu_listing_take(&r->text, "EXIT") || emu_listing_take(&r->text, "RET"))
    good = read_exit(r);
  else if (emu_listing_take(&r->text, "@P"), emu_listing_take(&r->text, "BRA"))
    good = read_branch(r);
  else
    return emu_listing_fail(
        &r->text, "only BSSY, BREAK and BMOV can be between a body and its last instruction");
  r->block = SR_NONE;
  r->ended = true;
  return good;
}

static bool read_inst(Reader *r) {
  for (EmuBarrierOp op = EMU_BARRIER_BSSY; op <= EMU_BARRIER_TEST; op++) {
    if ((r->block != SR_NONE && !may_be_inside(op)) ||
        !emu_listing_take(&r->text, emu_barrier_words[op]))
      continue;
    if (op == EMU_BARRIER_ESCAPE)
      return read_escape(r);
    if (op == EMU_BARRIER_TEST)
      return read_test(r);
    if (op == EMU_BARRIER_YIELD || op == EMU_BARRIER_WARPSYNC) {
      emit(r, op);
      return true;
    }
    return read_barrier_op(r, op);
  }
  if (r->block != SR_NONE)
    return read_end(r);
  if (!emu_listing_take(&r->text, "BRA"))
    return emu_listing_fail(&r->text, "an unknown instruction");
  emit(r, EMU_BARRIER_GO);
  bool good = place(r, USE_TO, r->out->code.count - 1);
  r->ended = true;
  return good;
}

/* ---- lines ----------------------------------------------------------------------------------- */

static bool read_body(Reader *r) {
  uint32_t b;
  if (!emu_listing_block(&r->text, &b) || !emu_listing_take(&r->text, ":") ||
      !emu_listing_take(&r->text, "..."))
    return emu_listing_fail(&r->text, "a body looks like %12: ...");
  if (r->block != SR_NONE)
    return emu_listing_fail(&r->text, "the body before this one has no last instruction");
  if (r->out->label[b] != SR_NONE)
    return emu_listing_fail(&r->text, "the block has two bodies");
  emit(r, EMU_BARRIER_BODY)->block = b;
  r->out->label[b] = r->out->code.count - 1;
  r->block = b;
  return true;
}

static bool read_label(Reader *r) {
  uint32_t n;
  if (!label(r, &n))
    return false;
  if (!emu_listing_take(&r->text, ":"))
    return emu_listing_fail(&r->text, "a label ends in a colon");
  if (r->labels.at[n] != SR_NONE)
    return emu_listing_fail(&r->text, "the label is defined twice");
  if (r->block != SR_NONE)
    return emu_listing_fail(&r->text, "a label between a body and its last instruction");
  r->labels.at[n] = r->out->code.count;
  return !*r->text.at || read_inst(r);
}

static bool read_head(Reader *r) {
  for (uint32_t i = 0; i <= EMU_BARRIER_OLDEST; i++)
    if (emu_listing_take(&r->text, emu_barrier_schedulings[i])) {
      r->out->scheduling = (EmuBarrierScheduling)i;
      return true;
    }
  return emu_listing_fail(&r->text, "scheduling is lifo, round-robin or oldest");
}

static bool read_line(Reader *r) {
  bool good = emu_listing_take(&r->text, "function ")     ? (r->text.at += strlen(r->text.at), true)
              : emu_listing_take(&r->text, "scheduling ") ? read_head(r)
              : emu_listing_take(&r->text, "start ")      ? place(r, USE_START, 0)
              : *r->text.at == '%'                        ? read_body(r)
              : emu_listing_take(&r->text, ".")           ? (*r->text.at != '.' && read_label(r))
                                                          : read_inst(r);
  return good ? (!*r->text.at || emu_listing_fail(&r->text, "there is text after the instruction"))
              : emu_listing_fail(&r->text, "this is not a line of a barrier listing");
}

/* ---- the whole ------------------------------------------------------------------------------- */

static bool resolve(Reader *r) {
  EmuBarriers *out = r->out;
  bool started = false;
  for (uint32_t i = 0; i < r->uses.count; i++) {
    const Use *u = &r->uses.at[i];
    uint32_t to = u->label == SR_NONE ? out->label[u->block] : r->labels.at[u->label];
    if (to == SR_NONE || to >= out->code.count)
      return emu_listing_fail_at(&r->text, u->line,
                                 u->label == SR_NONE ? "the block has no body"
                                                     : "the label is not defined");
    if (u->what == USE_TO)
      out->code.at[u->at].to = to;
    else if (u->what == USE_BACK)
      out->code.at[u->at].back = to;
    else if (u->what == USE_ARM)
      out->arms.at[u->at].to = to;
    else {
      out->start = to;
      started = true;
    }
  }
  return started || emu_listing_fail(&r->text, "it does not say where lanes start: start %12");
}

/* Sets where lanes that return continue. */
static void link_calls(Reader *r) {
  uint32_t body = SR_NONE;
  for (uint32_t at = 0; at < r->out->code.count; at++) {
    const EmuBarrierInst *i = &r->out->code.at[at];
    if (i->op == EMU_BARRIER_BODY)
      body = i->block;
    else if (i->op == EMU_BARRIER_CALL)
      r->out->comes[r->table->next[body]] = i->back;
  }
}

/* Is there no cycle outside of bodies? Every instruction outside of bodies, except TEST, has one
 * next instruction, so from each of them control then comes to a body. */
static bool cycle_free(Reader *r) {
  const EmuBarriers *out = r->out;
  SR_VEC(SrEdge) edges = {0};
  uint32_t count = out->code.count;
  bool inside = false;
  for (uint32_t at = 0; at < count; at++) {
    const EmuBarrierInst *i = &out->code.at[at];
    SR_PUSH(r->scratch, &edges, (SrEdge){count, at});
    if (i->op == EMU_BARRIER_BODY)
      inside = true;
    bool ends = inside;
    if (i->op == EMU_BARRIER_BRANCH || i->op == EMU_BARRIER_CALL || i->op == EMU_BARRIER_END)
      inside = false;
    if (ends)
      continue;
    if (i->op != EMU_BARRIER_GO)
      SR_PUSH(r->scratch, &edges, (SrEdge){at, at + 1});
    if (i->op == EMU_BARRIER_GO || i->op == EMU_BARRIER_TEST)
      SR_PUSH(r->scratch, &edges, (SrEdge){at, i->to});
  }
  SrGraph *g = sr_graph_new(r->scratch, count + 1, edges.at, edges.count);
  uint32_t *left = SR_NEW(r->scratch, uint32_t, count + 1), *work, done = 0;
  work = SR_NEW(r->scratch, uint32_t, count + 1);
  for (uint32_t i = 0; i <= count; i++)
    left[i] = sr_pred_count(g, i);
  work[0] = count;
  for (uint32_t end = 1; done < end; done++)
    for (SR_SUCCS(t, g, work[done]))
      if (!--left[*t])
        work[end++] = *t;
  return done == count + 1 || emu_listing_fail(&r->text, "the program has a cycle without a body");
}

static bool check_bodies(Reader *r) {
  const EmuBlockTable *t = r->table;
  for (uint32_t f = 0; f < t->function_count; f++) {
    const EmuFunctionBlocks *fn = &t->functions[f];
    const SrBits *reached = sr_graph_reachable(r->scratch, fn->graph, 0);
    for (uint32_t b = 0; b < fn->count; b++)
      if (sr_bit(reached, b) && r->out->label[fn->first + b] == SR_NONE)
        return emu_listing_fail(&r->text, "at the end, the body of a block is missing");
  }
  return true;
}

static bool read_all(Reader *r) {
  while (emu_listing_line(&r->text))
    if (!read_line(r))
      return false;
  if (r->block != SR_NONE || !r->ended)
    return emu_listing_fail(&r->text, "the program runs past its end");
  if (!resolve(r) || !check_bodies(r) || !cycle_free(r))
    return false;
  link_calls(r);
  return true;
}

EmuBarriers *emu_barriers_read(SrArena *arena, const EmuBlockTable *table, const char *text,
                               const char **why) {
  SrArena scratch = sr_arena_new(arena->heap);
  Reader r = {.arena = arena,
              .scratch = &scratch,
              .table = table,
              .out = SR_NEW(arena, EmuBarriers, 1),
              .block = SR_NONE,
              .barriers = {.arena = &scratch}};
  emu_listing_open(&r.text, arena, &scratch, table, "barrier listing", text, why);
  r.out->mixes = true; /* an edited listing may let any lanes meet */
  r.out->label = sr_new_none(arena, table->count);
  r.out->first = SR_NEW(arena, uint32_t, table->function_count);
  r.out->comes = sr_new_none(arena, table->count);
  bool good = read_all(&r);
  sr_arena_free(&scratch);
  return good ? r.out : NULL;
}
