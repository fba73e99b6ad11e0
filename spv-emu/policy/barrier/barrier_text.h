/* SPDX-License-Identifier: Apache-2.0 */
/* barrier_text: words that the listing of convergence barriers (barrier_dump.c) and its reader
 * share.
 */
#ifndef EMU_BARRIER_TEXT_H
#define EMU_BARRIER_TEXT_H

#include "spv-emu/policy/barrier/barrier_program.h"

/* By EmuBarrierOp; NULL: the operation has no single word. */
extern const char *const emu_barrier_words[EMU_BARRIER_GO + 1];
/* By EmuBarrierScheduling. */
extern const char *const emu_barrier_schedulings[]; /* then NULL */

#endif
