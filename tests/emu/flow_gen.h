/* SPDX-License-Identifier: Apache-2.0 */
/* flow_gen: random programs for the policies' tests, the same for the same seed. */
#ifndef FLOW_GEN_H
#define FLOW_GEN_H

#include "tests/emu/flow_build.h"

/* Any graph: up to `blocks` blocks in up to three functions; including irreducible cycles, infinite
 * loops, unreachable blocks and calls. */
EmuBlockTable *flow_gen_any(SrArena *arena, uint64_t seed, uint32_t blocks);
/* Structured control flow by the rules of SPIR-V: selections with one and two arms, switches with
 * fall-through, loops with breaks, continues and returns from inside, loop headers that branch
 * inside the loop, loops of a single block, calls. The blocks after a function's entry are in
 * random order. *build, if not NULL, is set to the builder. */
EmuBlockTable *flow_gen_structured(SrArena *arena, uint64_t seed, uint32_t blocks,
                                   FlowBuild *build);
/* `depth` constructs, one inside the other: a loop, then a selection, and so on. */
EmuBlockTable *flow_gen_nest(SrArena *arena, uint32_t depth);
/* `blocks` blocks, one after the other. */
EmuBlockTable *flow_gen_chain(SrArena *arena, uint32_t blocks);

#endif
