/* SPDX-License-Identifier: Apache-2.0 */
/* program_priority: the priority order of a program: which block runs first. */
#ifndef EMU_PROGRAM_PRIORITY_H
#define EMU_PROGRAM_PRIORITY_H

#include "spv-emu/engine/bytecode.h"
#include "spv-emu/policy/policy.h"

#include <spv-emu/spv_emu.h>

typedef struct EmuPriority {
  const char *text; /* as in --priority: the name of an order of all blocks, with calls and
                       returns as edges (order.h; NULL or lrpo: call_order.h), or lists of
                       blocks, [FUNCTION:]@BLOCK,…: these take, in the listed order, the places
                       that lrpo gives the blocks of their function */
  const spv_emu_order *orders; /* used instead of `text`, as in spv_emu_run_options */
  uint32_t order_count;
} EmuPriority;

/* Sets `order`, `priority` and `reached` of a table that is otherwise complete, in `arena`. Fails
 * with the diag's message if the priority is not valid. */
SR_MUST_USE SrStatus emu_priority_set(SrArena *arena, SrDiag *diag, const EmuProgram *p,
                                      const EmuPriority *priority, EmuBlockTable *table);

#endif
