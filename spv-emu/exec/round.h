/* SPDX-License-Identifier: Apache-2.0 */
/* round: iterations of a loop that the running lanes make together.
 *
 * While all lanes of a block take one edge, exec.c records the edges. If they lead back to a block,
 * and the policy is in the same state as before, the same path may run again and again. A special
 * loop then runs it: it only executes instructions and checks where branches go. The policy is not
 * asked, and blocks are counted once, after the lanes have left the path. The figures are the same
 * as those of single steps.
 *
 * Machine code can do more. A path may have hammocks; in each iteration a lane may take another arm.
 * If the policy allows it (EmuPolicy.lets_part), some lanes may leave the path and wait while the
 * others go on. And if it says how it comes into the state in which lanes begin another iteration
 * (EmuPolicy.enters), lanes that come to the loop run the code at once, which earlier lanes have run. */
#ifndef EMU_ROUND_H
#define EMU_ROUND_H

#include "spv-emu/native/native.h"
#include "spv-emu/policy/policy.h"

struct EmuExec;

enum { EMU_ROUND_EDGES = 32 }; /* longest path */

typedef struct EmuRound {
  bool possible;   /* for this subgroup */
  bool ready;      /* the path leads to `head`, where the lanes are; run it before the next block */
  uint32_t head;   /* the block where the path starts; SR_NONE: it does not lead back */
  uint32_t count;  /* number of its edges so far; EMU_ROUND_EDGES: too many */
  uint32_t misses; /* number of consecutive paths that were not run again */
  uint32_t skip;   /* number of next paths that are not to be tried */
  uint64_t pushes, pops; /* the policy's counts at the start of the path */
  const EmuEdge *path[EMU_ROUND_EDGES + 1];
  /* The same for machine code: */
  bool diverged; /* lanes have taken different arms; `path` has not all edges */
  const EmuNativeStart
      *entered;  /* the path is that of earlier lanes, which these have not yet gone; NULL: it
                                    is not */
  uint32_t join; /* where the hammock ends in which the lanes are; SR_NONE: in none */
  uint32_t steps_count;
  EmuNativeStep steps[EMU_ROUND_EDGES + 1];
} EmuRound;

/* To be called when a new subgroup starts. */
void emu_round_start(struct EmuExec *e);
/* All lanes take an edge of lanes.block. To be called only if there may be machine code. */
void emu_round_follow(struct EmuExec *e, const EmuEdge *edge);
/* Lanes have gone from the header through the arms of a hammock to the join, where they are. */
void emu_round_arms(struct EmuExec *e, uint32_t header, const struct EmuHammock *h);
/* The lanes have stayed together up to lanes.block, where a path may start or end. */
void emu_round_reach(struct EmuExec *e);
/* The lanes have come to lanes.block, where there is the code of a path that earlier lanes have gone. */
void emu_round_enter(struct EmuExec *e, const EmuNativeStart *start);
/* Runs the path that is `ready`. True: the lanes have run block lanes.block and must leave it;
 * false: they continue from there. */
bool emu_round_run(struct EmuExec *e);

#endif
