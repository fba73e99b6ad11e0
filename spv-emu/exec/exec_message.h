/* SPDX-License-Identifier: Apache-2.0 */
/* exec_message: why a subgroup cannot go on, and where its lanes are. Each function writes one line
 * to shared->deadlock. */
#ifndef EMU_EXEC_MESSAGE_H
#define EMU_EXEC_MESSAGE_H

#include "spv-emu/exec/runaway.h"

/* The running lanes are at a barrier that others of the subgroup do not reach. */
void emu_exec_message_barrier(EmuExec *e, SrRef barrier);
/* The running lanes repeat a loop for ever. `loop` is the block where it starts. */
void emu_exec_message_livelock(EmuExec *e, uint32_t loop);
/* All lanes wait for one another. */
void emu_exec_message_stuck(EmuExec *e);
/* More than `most` instructions were issued; `found`: in which loop. */
void emu_exec_message_limit(EmuExec *e, uint64_t most, const EmuRunaway *found);

#endif
