/* SPDX-License-Identifier: Apache-2.0 */
/* hammock_run: see hammock_run.h. The arms run in the order of their places, each once, with all lanes
 * that have reached it: an arm leads only to a later arm or to the join. If the arms have been
 * compiled together, the machine code runs them all, and the counts are added afterwards. */
#include "spv-emu/exec/hammock_run.h"

#include "spv-emu/exec/exec_step.h"
#include "spv-emu/policy/hammock.h"

/* Lanes that have reached each arm and, in the last mask, the join. */
typedef struct Arms {
  const EmuHammock *h;
  uint32_t there; /* by bit: which of the masks have lanes */
  EmuMask lanes[EMU_HAMMOCK_ARMS + 1];
} Arms;

EMU_STEP void reach_arm(EmuExec *e, Arms *arms, uint32_t at, const EmuMask *lanes, uint32_t words) {
  if (arms->there >> at & 1) {
    emu_mask_add(&arms->lanes[at], lanes, words);
    e->counts.reconvergences++;
    return;
  }
  emu_mask_copy(&arms->lanes[at], lanes, words);
  arms->there |= 1u << at;
}

EMU_STEP void run_arm(EmuExec *e, Arms *arms, uint32_t at, uint32_t words) {
  EmuLanes *s = &e->lanes;
  s->block = arms->h->arm[at];
  emu_mask_copy(&s->on, &arms->lanes[at], words);
  e->running = emu_mask_count(&s->on, words);
  e->ip = 0;
  const EmuBlock *b = emu_exec_block(e);
  emu_exec_count(e, b);
  emu_exec_run_to(e, b, b->some_count);
  emu_exec_move(e, &e->shared->program->edges.at[b->edge], &s->on, false);
  reach_arm(e, arms, arms->h->to[at], &s->on, words);
}

/* The lanes of each arm, in subgroups of one word. */
static void find_masks(const Arms *arms, uint64_t *masks) {
  const EmuHammock *h = arms->h;
  uint64_t at_join = 0;
  for (uint32_t i = 0; i < h->count; i++)
    masks[i] = arms->there >> i & 1 ? arms->lanes[i].w[0] : 0;
  for (uint32_t i = 0; i < h->count; i++)
    *(h->to[i] < h->count ? &masks[h->to[i]] : &at_join) |= masks[i];
}

/* Counts what run_arm would. */
EMU_STEP void count_arm(EmuExec *e, Arms *arms, uint32_t at, uint32_t words) {
  EmuLanes *s = &e->lanes;
  s->block = arms->h->arm[at];
  e->running = emu_mask_count(&arms->lanes[at], words);
  emu_exec_count(e, emu_exec_block(e));
  reach_arm(e, arms, arms->h->to[at], &arms->lanes[at], words);
}

EMU_STEP void interpret_arms(EmuExec *e, Arms *arms, uint32_t words) {
  for (uint32_t i = 0; i < arms->h->count && !e->lanes.fault.stop; i++)
    if (arms->there >> i & 1)
      run_arm(e, arms, i, words);
}

/* The machine code of the arms after the running block; NULL: there is none, or it would go on
 * after a fault. */
EMU_STEP EmuNativeArmsCode *code_of_arms(const EmuExec *e, const EmuHammock *h, uint32_t words) {
  EmuNativeWorker *native = e->shared->native;
  if (!native || words > 1 || e->quads)
    return NULL;
  EmuNativeArms *of = emu_native_arms(native, e->lanes.block, h->arm, h->count);
  EmuNativeArmsCode *code = of ? __atomic_load_n(&of->code, __ATOMIC_ACQUIRE) : NULL;
  if (of && !code)
    emu_native_arms_run(of, native);
  bool good = code && (of->what.pure || !e->lanes.strict) &&
              (!native->check || emu_check_may(e, &of->what));
  return good ? code : NULL;
}

/* Runs the arms both ways and compares; their blocks are not also checked one by one. */
EMU_ASIDE void check_arms(EmuExec *e, Arms *arms, EmuNativeArmsCode *code, const uint64_t *masks) {
  EmuNativeWorker *native = e->shared->native;
  emu_check_begin(e);
  code(&e->lanes, masks);
  emu_check_again(e);
  e->shared->native = NULL;
  interpret_arms(e, arms, 1);
  e->shared->native = native;
  emu_check_end(e);
}

EMU_STEP void run_native_arms(EmuExec *e, Arms *arms, EmuNativeArmsCode *code, uint32_t words) {
  uint64_t masks[EMU_HAMMOCK_ARMS];
  find_masks(arms, masks);
  if (e->shared->native->check) {
    check_arms(e, arms, code, masks);
    return;
  }
  code(&e->lanes, masks);
  for (uint32_t i = 0; i < arms->h->count; i++)
    if (arms->there >> i & 1)
      count_arm(e, arms, i, words);
}

/* Runs the arms from e->targets until all lanes are at the join. */
EMU_STEP void run_arms(EmuExec *e, const EmuHammock *h, uint32_t targets, uint32_t words) {
  EmuLanes *s = &e->lanes;
  Arms arms; /* the masks are not initialized until lanes arrive */
  EmuMask all;
  uint32_t running = e->running, header = s->block;
  bool full = e->full;
  arms.h = h;
  arms.there = 0;
  emu_mask_copy(&all, &s->on, words);
  for (uint32_t i = 0; i < targets; i++)
    reach_arm(e, &arms, emu_hammock_index(h, e->targets[i].block), &e->targets[i].lanes, words);
  EmuNativeArmsCode *code = code_of_arms(e, h, words);
  e->full = false;
  if (code)
    run_native_arms(e, &arms, code, words);
  else
    interpret_arms(e, &arms, words);
  if (s->fault.stop)
    return;
  emu_mask_copy(&s->on, &all, words);
  e->full = full;
  e->running = running;
  s->block = h->join;
  e->stays = true;
  emu_round_arms(e, header, h);
}

void emu_hammock_run(EmuExec *e, const EmuHammock *h, uint32_t targets) {
  if (e->lanes.words == 1)
    run_arms(e, h, targets, 1);
  else
    run_arms(e, h, targets, e->lanes.words);
}
