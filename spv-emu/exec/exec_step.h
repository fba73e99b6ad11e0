/* SPDX-License-Identifier: Apache-2.0 */
/* exec_step: the parts of a step from block to block. The files that run blocks inline them: exec.c,
 * hammock_run.c and round.c. */
#ifndef EMU_EXEC_STEP_H
#define EMU_EXEC_STEP_H

#include "spv-emu/exec/exec.h"
#include "spv-emu/exec/native_check.h"

/* Most blocks are a few instructions and one edge that all lanes take. The code for such a step is
 * inlined (EMU_STEP) and compiled twice, once for masks of one word. All other code is kept out of
 * line (EMU_ASIDE). */
#define EMU_STEP static inline __attribute__((always_inline))
#define EMU_ASIDE static __attribute__((noinline))

/* Sets on_row to the row of a mask, unless it is that already. */
static inline void emu_exec_on_row(EmuExec *e, const EmuMask *lanes) {
  if (emu_mask_equal(lanes, &e->on_row_lanes, e->lanes.words))
    return;
  emu_mask_copy(&e->on_row_lanes, lanes, e->lanes.words);
  e->shared->isa->expand(lanes->w, e->lanes.width, e->on_row);
}

EMU_STEP const EmuBlock *emu_exec_block(const EmuExec *e) {
  return &e->shared->program->blocks.at[e->lanes.block];
}

/* Finds the lanes for which the condition of EMU_END_IF holds, and puts them in lanes.yes. */
EMU_STEP void emu_exec_condition(EmuExec *e, const EmuBlock *b, uint32_t words) {
  EmuLanes *s = &e->lanes;
  if (!b->compared)
    e->shared->isa->bits(EMU_ROW(s, const uint32_t, b->row), s->width, s->yes.w);
  emu_mask_keep(&s->yes, &s->on, words);
}

/* Executes moves; `run`: the handlers of the ISA, by bytes per lane. */
EMU_STEP void emu_exec_moves(EmuExec *e, const EmuMove *first, const EmuMove *end,
                             EmuHandler *const *run) {
  for (const EmuMove *m = first; m < end; m++) {
    EmuIns ins = {.d = m->d, .a = m->a};
    run[m->bytes](&e->lanes, &ins);
  }
}

/* Executes the moves of an edge for the lanes that take it; in whole rows if these are all lanes
 * that have not ended. */
EMU_STEP void emu_exec_move(EmuExec *e, const EmuEdge *edge, const EmuMask *lanes, bool full) {
  if (edge->moves == 0)
    return;
  const EmuMove *first = &e->shared->program->moves.at[edge->move];
  if (!full)
    emu_exec_on_row(e, lanes);
  emu_exec_moves(e, first, first + edge->moves,
                 full ? e->shared->isa->move : e->shared->isa->move_on);
}

/* Counts the helper lanes that run the current block. */
static inline __attribute__((cold)) void emu_exec_count_helpers(EmuExec *e) {
  const EmuLanes *s = &e->lanes;
  EmuMask helpers;
  emu_mask_copy(&helpers, &s->on, s->words);
  emu_mask_keep(&helpers, &s->helper, s->words);
  e->shared->blocks[s->block].helpers += emu_mask_count(&helpers, s->words);
}

/* Counts the current block as executed by the running lanes. */
EMU_STEP void emu_exec_count(EmuExec *e, const EmuBlock *b) {
  EmuShared *shared = e->shared;
  EmuBlockCount *count = &shared->blocks[e->lanes.block];
  shared->issued += b->issues;
  count->executions++;
  count->lanes += e->running;
  count->apart += !e->full;
  if (__builtin_expect(e->quads, false))
    emu_exec_count_helpers(e);
}

/* Runs the block's whole stream as machine code. False: there is none. */
EMU_STEP bool emu_exec_run_native(EmuExec *e, const EmuBlock *b) {
  EmuNativeWorker *native = e->shared->native;
  EmuLanes *s = &e->lanes;
  const EmuNativeStream *stream =
      emu_native_stream(native, s->block, e->full || b->some == b->full);
  if (!stream)
    return false;
  if (native->check)
    emu_check_stream(e, b, stream);
  else
    for (const EmuIns *i = stream->code, *last = i + stream->count; i < last; i++)
      i->run(s, i);
  return true;
}

/* Runs the rest of the block's stream before instruction `end`. */
EMU_STEP void emu_exec_run_to(EmuExec *e, const EmuBlock *b, uint32_t end) {
  EmuLanes *s = &e->lanes;
  if (!e->full && b->some != b->full)
    emu_exec_on_row(e, &s->on);
  if (e->shared->native && !b->stops && emu_exec_run_native(e, b))
    return;
  if (e->ip == end) /* a program without any instruction has no code */
    return;
  const EmuIns *code = &e->shared->program->code.at[e->full ? b->full : b->some];
  for (const EmuIns *i = code + e->ip, *last = code + end; i < last; i++)
    i->run(s, i);
  e->ip = end;
}

#endif
