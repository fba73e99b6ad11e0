/* SPDX-License-Identifier: Apache-2.0 */
/* livelock: detects that lanes of a subgroup spin forever while other lanes of it wait: they spin
 * in a loop for a lane that the policy runs only after them.
 *
 * Whether a loop ends cannot be decided, but a subgroup that reaches a state again will reach it
 * forever: the same block and lanes, the same waiting lanes, registers and memory. The search runs
 * now and then, for a few issues: after 2^20 issues (half of the limit, if that is less), and each
 * time their number has quadrupled. States are compared by a hash, with the method of Brent (An
 * improved Monte Carlo factorization algorithm, 1980): the state to return to is replaced after 2,
 * 4, 8, … blocks. A loop that counts its iterations is not found, and ends at the limit. A period
 * hashes a limited number of bytes, none for subgroups that run few blocks. Images and the clock are
 * not hashed: a loop that writes images or reads the clock is not found either. Other workgroups are
 * assumed not to write what the loop reads. */
#ifndef EMU_LIVELOCK_H
#define EMU_LIVELOCK_H

#include "passes/base/bitset.h"
#include "spv-emu/engine/engine.h"

struct EmuExec;

typedef struct EmuLivelock {
  bool started;         /* the state below is of this subgroup and period */
  uint64_t steps, most; /* blocks since the state, or since the start; the number after which the
                           state is replaced */
  uint32_t block;
  EmuMask on;
  uint64_t sample, hash; /* hash of a word of each register; hash of the whole state */
  SrBits *seen;          /* the blocks since then */
} EmuLivelock;

/* Begins a period; nothing is known. */
void emu_livelock_begin(struct EmuExec *e);
/* To be called when the subgroup enters a block in a period. True: it has been in this state
 * before, and lanes wait. *loop: the first, by number, of the blocks since then. */
bool emu_livelock_found(struct EmuExec *e, uint32_t *loop);

#endif
