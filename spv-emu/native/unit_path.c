/* SPDX-License-Identifier: Apache-2.0 */
/* unit_path: paths and arms; see unit.h. */
#include "spv-emu/native/maker.h"

enum { MOST_EDGES = EMU_HAMMOCK_ARMS + 1 }; /* of a hammock's header */

typedef struct Path {
  EmuMaker *m;
  const EmuUnitStep *steps;
  uint32_t count;
  bool full;
  EmuVector on;               /* a slot: the running lanes, a bit for each */
  EmuVector most, done, left; /* slots of numbers, except `most`; `left` is the result */
  EmuVector run;              /* EmuPathRun * */
  EmuVector counts;           /* its counts */
  LLVMBasicBlockRef head, leave;
} Path;

/* ---- the first pass -------------------------------------------------------------------------- */

static void name_moves(EmuMaker *m, const EmuMove *move, uint32_t count) {
  for (uint32_t k = 0; k < count; k++) {
    emu_maker_name_row(m, move[k].a, move[k].bytes, false);
    emu_maker_name_row(m, move[k].d, move[k].bytes, true);
  }
}

/* The rows that the block's end reads when the lanes leave the path there. */
static void name_end(EmuMaker *m, const EmuUnitStep *step) {
  const EmuBlock *block = step->block;
  if (block->end == EMU_END_IF)
    emu_maker_name_row(m, block->row, sizeof(uint32_t), false);
  else if (block->end == EMU_END_SWITCH)
    emu_maker_name_row(m, block->row, emu_kind_bytes((EmuKind)block->kind), false);
  name_moves(m, step->move, step->moves);
  for (uint32_t e = 0; (step->hammock || step->parts) && e < block->edges; e++) {
    const EmuEdge *edge = &m->p->edges.at[block->edge + e];
    if (edge->moves)
      name_moves(m, &m->p->moves.at[edge->move], edge->moves);
  }
}

static void name_step(EmuMaker *m, const EmuUnitStep *step) {
  for (uint32_t k = 0; k < step->count; k++)
    emu_maker_name(m, &step->code[k]);
  name_end(m, step);
  emu_maker_check(m, m->here);
  m->here++;
}

/* Blocks have their own rows in the order of steps, each before its arms. */
static void name_steps(Path *path) {
  EmuMaker *m = path->m;
  for (uint32_t i = 0; i < path->count; i++) {
    name_step(m, &path->steps[i]);
    for (uint32_t k = 0; k < path->steps[i].arm_count; k++)
      name_step(m, &path->steps[i].arms[k]);
  }
  emu_maker_check(m, &m->kept);
  m->here = m->local;
  emu_maker_constants(m);
}

static uint32_t count_blocks(const EmuUnitStep *steps, uint32_t count) {
  uint32_t blocks = count;
  for (uint32_t i = 0; i < count; i++)
    blocks += steps[i].arm_count;
  return blocks;
}

static void begin_rows(Path *path) {
  EmuMaker *m = path->m;
  for (uint32_t i = 0; i < count_blocks(path->steps, path->count); i++) {
    emu_maker_slots(m, &m->local[i]);
    emu_maker_fetch(m, &m->local[i]);
  }
  emu_maker_slots(m, &m->kept);
  emu_maker_fetch(m, &m->kept);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static EmuVector number(const Path *path, uint32_t bits, uint64_t value) {
  return emu_build_number(path->m->b, bits, value);
}

static EmuVector lanes_on(const Path *path) {
  return emu_maker_number(path->m, path->m->b->lanes, path->on);
}

/* A mask has no lane. */
static EmuVector is_empty(const Path *path, EmuVector mask) {
  const EmuBuild *b = path->m->b;
  return emu_build_icmp(b, LLVMIntEQ, mask, number(path, b->lanes, 0));
}

/* How many lanes a mask has. */
static EmuVector size_of(const Path *path, EmuVector mask) {
  const EmuBuild *b = path->m->b;
  EmuVector count = emu_build_intrinsic(b, "llvm.ctpop", &mask, 1);
  return b->l->LLVMBuildZExt(b->at, count, emu_build_int(b, 64), "");
}

static EmuVector as_count(const Path *path, EmuVector test) {
  const EmuBuild *b = path->m->b;
  return b->l->LLVMBuildZExt(b->at, test, emu_build_int(b, 64), "");
}

static EmuVector run_field(const Path *path, size_t offset) {
  return emu_build_after(path->m->b, path->run, number(path, 64, offset));
}

/* EmuPathRun.whole */
static EmuVector whole(const Path *path) {
  return emu_maker_number(path->m, 64, run_field(path, offsetof(EmuPathRun, whole)));
}

/* Adds to a count of a step, at a byte offset in EmuPathCount. */
static void add_count(const Path *path, uint32_t step, size_t offset, EmuVector more) {
  const EmuMaker *m = path->m;
  const EmuBuild *b = m->b;
  EmuVector bytes = number(path, 64, step * sizeof(EmuPathCount) + offset);
  EmuVector at = emu_build_after(b, path->counts, bytes);
  b->l->LLVMBuildStore(b->at, emu_build_add(b, emu_maker_number(m, 64, at), more), at);
}

/* ---- masks and moves ------------------------------------------------------------------------- */

static void run_as(const Path *path, EmuVector mask) {
  path->m->on = emu_maker_test(path->m, mask);
}

/* Loads and stores see these lanes. */
static void publish_lanes(const Path *path, EmuVector mask) {
  EmuMaker *m = path->m;
  m->b->l->LLVMBuildStore(m->b->at, mask, emu_maker_field(m, offsetof(EmuLanes, on)));
}

/* All handlers do. */
static void publish(const Path *path, EmuVector mask) {
  EmuMaker *m = path->m;
  const EmuBuild *b = m->b;
  EmuVector row = b->l->LLVMBuildLoad2(b->at, emu_build_pointer(b),
                                       emu_maker_field(m, offsetof(EmuLanes, on_row)), "");
  publish_lanes(path, mask);
  EmuVector store =
      b->l->LLVMBuildStore(b->at, emu_build_sext(b, emu_maker_test(m, mask), 32), row);
  b->l->LLVMSetAlignment(store, sizeof(uint32_t));
}

static void move(EmuMaker *m, const EmuMove *of, bool whole) {
  const EmuMakerRow *to = emu_maker_row(m, of->d);
  EmuVector value = emu_maker_get(m, emu_maker_row(m, of->a));
  emu_maker_set(m, to, whole ? value : emu_maker_for_active(m, to, value));
}

static void move_all(EmuMaker *m, const EmuMove *moves, uint32_t count, bool whole) {
  for (uint32_t k = 0; k < count; k++)
    move(m, &moves[k], whole);
}

/* The moves of an edge, for the lanes of a mask. */
static void take_edge(const Path *path, const EmuEdge *edge, EmuVector mask) {
  EmuMaker *m = path->m;
  if (!edge->moves)
    return;
  run_as(path, mask);
  move_all(m, &m->p->moves.at[edge->move], edge->moves, false);
}

/* ---- conditions ------------------------------------------------------------------------------ */

/* The lanes, of all, for which the condition holds. */
static EmuVector condition(EmuMaker *m, const EmuBlock *block) {
  const EmuBuild *b = m->b;
  if (block->compared && m->test)
    return emu_maker_bits(m, m->test);
  if (block->compared)
    return emu_maker_number(m, b->lanes, emu_maker_field(m, offsetof(EmuLanes, yes)));
  EmuVector row = emu_maker_get(m, emu_maker_row(m, block->row));
  return emu_maker_bits(m, emu_build_icmp(b, LLVMIntSLT, row, emu_build_splat(b, 32, 0)));
}

/* The lanes that take each edge of a switch. */
static void split_switch(const Path *path, const EmuBlock *block, EmuVector *edge) {
  EmuMaker *m = path->m;
  const EmuBuild *b = m->b;
  EmuVector value = emu_maker_get(m, emu_maker_row(m, block->row)), left = lanes_on(path);
  uint32_t bits = 8 * emu_kind_bytes((EmuKind)block->kind);
  for (uint32_t i = 0; i < block->case_count; i++) {
    const EmuSwitchCase *c = &m->p->cases.at[block->cases + i];
    EmuVector is = emu_build_icmp(b, LLVMIntEQ, value, emu_build_splat(b, bits, c->value));
    EmuVector lanes = emu_build_and(b, emu_maker_bits(m, is), left);
    edge[c->edge] = edge[c->edge] ? emu_build_or(b, edge[c->edge], lanes) : lanes;
    left = emu_build_xor(b, left, lanes);
  }
  edge[0] = edge[0] ? emu_build_or(b, edge[0], left) : left;
}

static void split(const Path *path, const EmuUnitStep *step, EmuVector edge[MOST_EDGES]) {
  const EmuBuild *b = path->m->b;
  for (uint32_t e = 0; e < MOST_EDGES; e++)
    edge[e] = NULL;
  if (step->block->end == EMU_END_SWITCH) {
    split_switch(path, step->block, edge);
    return;
  }
  EmuVector on = lanes_on(path);
  edge[0] = emu_build_and(b, condition(path->m, step->block), on);
  edge[1] = emu_build_xor(b, edge[0], on);
}

/* ---- hammocks -------------------------------------------------------------------------------- */

static size_t arm_count(uint32_t arm, size_t offset) {
  return offsetof(EmuPathCount, arm) + arm * sizeof((EmuPathCount){0}.arm[0]) + offset;
}

#define ARM_COUNT(k, name)                                                                         \
  arm_count(k, offsetof(EmuPathCount, arm[0].name) - offsetof(EmuPathCount, arm))

/* Counts a run of the arm; `all`: 1 if all lanes took one edge. */
static void count_arm(const Path *path, uint32_t at, uint32_t k, EmuVector mask, EmuVector all) {
  add_count(path, at, ARM_COUNT(k, runs), number(path, 64, 1));
  add_count(path, at, ARM_COUNT(k, lanes), size_of(path, mask));
  add_count(path, at, ARM_COUNT(k, whole), emu_build_and(path->m->b, all, whole(path)));
}

/* What handlers of the arm must see. */
typedef void Publish(const Path *path, EmuVector mask);

static Publish *publisher(EmuMaker *m, const EmuUnitStep *step) {
  Publish *needed = NULL;
  for (uint32_t i = 0; i < step->count; i++) {
    if (emu_maker_covers(m, &step->code[i]) || emu_maker_crosses(m->u, &step->code[i]))
      continue;
    if (!emu_maker_accesses(m->u, &step->code[i]))
      return publish;
    needed = publish_lanes;
  }
  return needed;
}

static void run_arm(const Path *path, const EmuUnitStep *arm, EmuVector mask) {
  EmuMaker *m = path->m;
  Publish *needed = publisher(m, arm);
  run_as(path, mask);
  m->test = NULL;
  m->block = arm->index;
  if (needed)
    needed(path, mask);
  for (uint32_t k = 0; k < arm->count; k++)
    emu_maker_execute(m, &arm->code[k]);
  move_all(m, arm->move, arm->moves, false);
  if (needed && path->on) /* of arms, the executor restores the lanes */
    needed(path, lanes_on(path));
}

/* Runs an arm unless its mask is empty; the next block's rows are then `here`. */
static void pass_arm(const Path *path, uint32_t at, uint32_t k, EmuVector mask, EmuVector all) {
  EmuMaker *m = path->m;
  const EmuBuild *b = m->b;
  LLVMBasicBlockRef body = emu_build_block(b), end = emu_build_block(b);
  b->l->LLVMBuildCondBr(b->at, is_empty(path, mask), end, body);
  emu_build_into(b, body);
  count_arm(path, at, k, mask, all);
  run_arm(path, &path->steps[at].arms[k], mask);
  b->l->LLVMBuildBr(b->at, end);
  emu_build_into(b, end);
  m->here++;
}

/* Adds lanes to those of the arm; NULL: it has none yet. */
static void reach(const Path *path, EmuVector *arm, EmuVector lanes) {
  *arm = *arm ? emu_build_or(path->m->b, *arm, lanes) : lanes;
}

/* Takes the edges of the header. Returns how many of them have lanes. */
static EmuVector leave_header(const Path *path, const EmuUnitStep *step, EmuVector *arms) {
  EmuMaker *m = path->m;
  const EmuBuild *b = m->b;
  EmuVector edge[MOST_EDGES], taken = number(path, 64, 0);
  split(path, step, edge);
  for (uint32_t e = 0; e < step->block->edges; e++) {
    const EmuEdge *of = &m->p->edges.at[step->block->edge + e];
    EmuVector lanes = edge[e] ? edge[e] : number(path, b->lanes, 0);
    EmuVector none = as_count(path, is_empty(path, lanes));
    taken = emu_build_add(b, taken, emu_build_xor(b, none, number(path, 64, 1)));
    take_edge(path, of, lanes);
    reach(path, &arms[emu_hammock_index(step->hammock, of->to)], lanes);
  }
  return taken;
}

/* `taken` is at least 1. Returns 1 if it is 1. */
static EmuVector count_header(const Path *path, uint32_t at, EmuVector taken) {
  const EmuBuild *b = path->m->b;
  EmuVector one = number(path, 64, 1);
  add_count(path, at, offsetof(EmuPathCount, joined), emu_build_sub(b, taken, one));
  add_count(path, at, offsetof(EmuPathCount, diverged),
            as_count(path, emu_build_icmp(b, LLVMIntUGT, taken, one)));
  return as_count(path, emu_build_icmp(b, LLVMIntEQ, taken, one));
}

/* From the end of the header, whose rows are `here`, to the join. */
static void run_hammock(const Path *path, uint32_t at) {
  const EmuUnitStep *step = &path->steps[at];
  const EmuHammock *h = step->hammock;
  EmuVector arms[EMU_HAMMOCK_ARMS + 1] = {NULL};
  EmuVector taken = leave_header(path, step, arms);
  EmuVector all = count_header(path, at, taken);
  path->m->here++;
  for (uint32_t k = 0; k < h->count; k++) {
    EmuVector lanes = arms[k] ? arms[k] : number(path, path->m->b->lanes, 0);
    pass_arm(path, at, k, lanes, all);
    reach(path, &arms[h->to[k]], lanes);
  }
  run_as(path, lanes_on(path));
}

/* ---- steps ----------------------------------------------------------------------------------- */

/* What the block's end reads: its condition, and the rows that edges move. */
static void leave_step(Path *path, uint32_t at, EmuVector yes) {
  EmuMaker *m = path->m;
  const EmuBuild *b = m->b;
  const EmuBlock *block = path->steps[at].block;
  for (uint32_t i = 0; i < m->here->rows.count; i++) {
    const EmuMakerRow *row = &m->here->rows.at[i];
    if (row->written && emu_maker_end_reads(m->p, block, row->row))
      emu_maker_put_back(m, row);
  }
  if (yes && block->compared) {
    EmuVector store = b->l->LLVMBuildStore(b->at, yes, emu_maker_field(m, offsetof(EmuLanes, yes)));
    b->l->LLVMSetAlignment(store, 4);
  }
  b->l->LLVMBuildStore(b->at, number(path, 32, at), path->left);
  b->l->LLVMBuildBr(b->at, path->leave);
}

/* Goes on in the block if the test holds; leaves the path otherwise. */
static void go_if(Path *path, uint32_t at, EmuVector test, EmuVector yes, LLVMBasicBlockRef on) {
  const EmuBuild *b = path->m->b;
  LLVMBasicBlockRef off = emu_build_block(b);
  b->l->LLVMBuildCondBr(b->at, test, on, off);
  emu_build_into(b, off);
  leave_step(path, at, yes);
}

/* Has no handler of this step stopped the run? */
static EmuVector not_stopped(const Path *path) {
  const EmuBuild *b = path->m->b;
  EmuVector stop =
      emu_maker_number(path->m, 8, emu_maker_field(path->m, offsetof(EmuLanes, fault.stop)));
  return emu_build_icmp(b, LLVMIntEQ, stop, number(path, 8, 0));
}

static void check_stop(Path *path, uint32_t at, EmuVector yes) {
  if (!path->m->called)
    return;
  LLVMBasicBlockRef on = emu_build_block(path->m->b);
  go_if(path, at, not_stopped(path), yes, on);
  emu_build_into(path->m->b, on);
}

/* Notes when lanes part first. */
static void note_first(const Path *path, uint32_t at, EmuVector done) {
  EmuMaker *m = path->m;
  const EmuBuild *b = m->b;
  EmuVector to_done = run_field(path, offsetof(EmuPathRun, whole_done)),
            to_step = run_field(path, offsetof(EmuPathRun, whole_until));
  EmuVector first = emu_build_icmp(b, LLVMIntNE, whole(path), number(path, 64, 0));
  EmuVector old = emu_maker_number(m, 64, to_done), step = emu_maker_number(m, 32, to_step);
  b->l->LLVMBuildStore(b->at, emu_build_select(b, first, done, old), to_done);
  b->l->LLVMBuildStore(b->at, emu_build_select(b, first, number(path, 32, at), step), to_step);
  b->l->LLVMBuildStore(b->at, number(path, 64, 0), run_field(path, offsetof(EmuPathRun, whole)));
}

static void note_parted(const Path *path, uint32_t at, EmuVector lanes) {
  const EmuBuild *b = path->m->b;
  EmuVector done = emu_maker_number(path->m, 64, path->done);
  add_count(path, at, offsetof(EmuPathCount, turns), emu_build_mul(b, size_of(path, lanes), done));
  EmuVector wide =
      b->lanes == 64 ? lanes : b->l->LLVMBuildZExt(b->at, lanes, emu_build_int(b, 64), "");
  add_count(path, at, offsetof(EmuPathCount, diverged), number(path, 64, 1));
  add_count(path, at, offsetof(EmuPathCount, parted), wide); /* a lane parts once */
  note_first(path, at, done);
}

/* The lanes that take the other edge part from those that stay. */
static void part(const Path *path, uint32_t at, EmuVector stay, EmuVector parting) {
  EmuMaker *m = path->m;
  const EmuUnitStep *step = &path->steps[at];
  note_parted(path, at, parting);
  take_edge(path, &m->p->edges.at[step->block->edge + (step->yes ? 1 : 0)], parting);
  if (step->arm_count) {
    count_arm(path, at, 0, parting, number(path, 64, 0));
    m->here++;
    run_arm(path, step->arms, parting);
    m->here--;
  }
  m->b->l->LLVMBuildStore(m->b->at, stay, path->on);
  publish(path, stay);
}

/* Ends a step whose block ends in a branch: leaves the path, or parts lanes from those that stay. */
static void branch(Path *path, uint32_t at, EmuVector yes) {
  const EmuUnitStep *step = &path->steps[at];
  const EmuBuild *b = path->m->b;
  EmuVector on = lanes_on(path), held = emu_build_and(b, yes, on);
  EmuVector stay = step->yes ? held : emu_build_xor(b, held, on);
  LLVMBasicBlockRef next = emu_build_block(b);
  EmuVector all = emu_build_icmp(b, LLVMIntEQ, stay, on);
  if (!step->parts) {
    go_if(path, at, all, yes, next);
    emu_build_into(b, next);
    return;
  }
  LLVMBasicBlockRef some = emu_build_block(b), parts = emu_build_block(b);
  b->l->LLVMBuildCondBr(b->at, all, next, some);
  emu_build_into(b, some);
  EmuVector stays = emu_build_xor(b, is_empty(path, stay), number(path, 1, 1));
  go_if(path, at, stays, yes, parts);
  emu_build_into(b, parts);
  part(path, at, stay, emu_build_xor(b, stay, on));
  b->l->LLVMBuildBr(b->at, next);
  emu_build_into(b, next);
}

static void run_step(Path *path, uint32_t at) {
  EmuMaker *m = path->m;
  const EmuUnitStep *step = &path->steps[at];
  m->test = NULL;
  m->called = false;
  m->block = step->index;
  run_as(path, lanes_on(path));
  for (uint32_t k = 0; k < step->count; k++)
    emu_maker_execute(m, &step->code[k]);
  EmuVector yes = step->block->end == EMU_END_IF ? condition(m, step->block) : NULL;
  check_stop(path, at, yes);
  if (step->hammock) {
    run_hammock(path, at);
    return;
  }
  if (yes)
    branch(path, at, yes);
  run_as(path, lanes_on(path));
  move_all(m, step->move, step->moves, path->full);
  m->here += 1 + step->arm_count;
}

/* ---- a path ---------------------------------------------------------------------------------- */

static void begin_path(Path *path) {
  EmuMaker *m = path->m;
  const EmuBuild *b = m->b;
  path->most = b->l->LLVMGetParam(b->function, 1);
  path->run = b->l->LLVMGetParam(b->function, 2);
  EmuVector counts = run_field(path, offsetof(EmuPathRun, counts));
  path->counts = b->l->LLVMBuildLoad2(b->at, emu_build_pointer(b), counts, "");
  path->done = emu_maker_number_slot(m, 64, number(path, 64, 0));
  path->left = emu_maker_number_slot(m, 32, number(path, 32, SR_NONE));
  EmuVector on = emu_maker_number(m, b->lanes, emu_maker_field(m, offsetof(EmuLanes, on)));
  path->on = emu_maker_number_slot(m, b->lanes, on);
  begin_rows(path);
  path->head = emu_build_block(b);
  path->leave = emu_build_block(b);
  b->l->LLVMBuildBr(b->at, path->head);
}

static void end_path(Path *path) {
  EmuMaker *m = path->m;
  const EmuBuild *b = m->b;
  emu_build_into(b, path->leave);
  emu_maker_put_back_written(m, &m->kept);
  b->l->LLVMBuildStore(b->at, emu_maker_number(m, 64, path->done),
                       run_field(path, offsetof(EmuPathRun, done)));
  b->l->LLVMBuildRet(b->at, emu_maker_number(m, 32, path->left));
}

static void build_path(Path *path) {
  EmuMaker *m = path->m;
  const EmuBuild *b = m->b;
  LLVMBasicBlockRef body = emu_build_block(b);
  begin_path(path);
  emu_build_into(b, path->head);
  EmuVector done = emu_maker_number(m, 64, path->done);
  b->l->LLVMBuildCondBr(b->at, emu_build_icmp(b, LLVMIntULT, done, path->most), body, path->leave);
  emu_build_into(b, body);
  m->here = m->local;
  for (uint32_t i = 0; i < path->count; i++)
    run_step(path, i);
  done = emu_maker_number(m, 64, path->done);
  b->l->LLVMBuildStore(b->at, emu_build_add(b, done, number(path, 64, 1)), path->done);
  b->l->LLVMBuildBr(b->at, path->head);
  end_path(path);
}

static EmuUnitRows written_rows(const EmuMaker *m) {
  EmuUnitRows rows = {0};
  for (uint32_t i = 0; i < m->kept.rows.count; i++) {
    const EmuMakerRow *row = &m->kept.rows.at[i];
    if (row->written)
      SR_PUSH(m->u->arena, &rows, (EmuNativeRow){row->row, row->bytes});
  }
  return rows;
}

bool emu_unit_path(EmuUnit *u, const EmuNativePath *of, const EmuUnitStep *steps, const char *name,
                   EmuUnitRows *rows) {
  EmuMaker m = emu_maker_new(u, u->program->width, count_blocks(steps, of->count));
  Path path = {.m = &m, .steps = steps, .count = of->count, .full = of->full};
  EmuBuild *b = m.b;
  LLVMTypeRef params[3] = {emu_build_pointer(b), emu_build_int(b, 64), emu_build_pointer(b)};
  emu_maker_begin(&m, b->l->LLVMFunctionType(emu_build_int(b, 32), params, 3, false), name);
  name_steps(&path);
  build_path(&path);
  emu_maker_end(&m);
  *rows = written_rows(&m);
  return !m.wrong;
}

/* ---- arms ------------------------------------------------------------------------------------ */

static void run_masked(const Path *path, uint32_t at) {
  EmuMaker *m = path->m;
  const EmuBuild *b = m->b;
  LLVMBasicBlockRef body = emu_build_block(b), end = emu_build_block(b);
  EmuVector masks = b->l->LLVMGetParam(b->function, 1);
  EmuVector from = emu_build_after(b, masks, number(path, 64, at * sizeof(uint64_t)));
  EmuVector mask = emu_maker_number(m, b->lanes, from);
  b->l->LLVMBuildCondBr(b->at, is_empty(path, mask), end, body);
  emu_build_into(b, body);
  run_arm(path, &path->steps[at], mask);
  b->l->LLVMBuildBr(b->at, end);
  emu_build_into(b, end);
  m->here++;
}

bool emu_unit_arms(EmuUnit *u, const EmuUnitStep *arms, uint32_t count, const char *name) {
  EmuMaker maker = emu_maker_new(u, u->program->width, count), *m = &maker;
  const EmuBuild *b = m->b;
  LLVMTypeRef params[2] = {emu_build_pointer(b), emu_build_pointer(b)};
  emu_maker_begin(
      m, b->l->LLVMFunctionType(b->l->LLVMVoidTypeInContext(b->context), params, 2, false), name);
  Path path = {.m = m, .steps = arms, .count = count};
  name_steps(&path);
  begin_rows(&path);
  m->here = m->local;
  for (uint32_t i = 0; i < count; i++)
    run_masked(&path, i);
  emu_maker_put_back_written(m, &m->kept);
  b->l->LLVMBuildRetVoid(b->at);
  emu_maker_end(m);
  return !m->wrong;
}
