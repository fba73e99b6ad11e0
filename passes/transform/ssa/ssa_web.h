/* SPDX-License-Identifier: Apache-2.0 */
/* ssa_web: user phis that can be one variable.
 *
 * A user phi whose predecessors changed becomes a variable that lanes carry to its block
 * (ssa_repair.h). A lane is headed for one block at a time, so phis of different blocks can be the
 * same variable, unless some edge sets both, to different values. Where lanes headed for these
 * blocks meet, this saves phis if the values are the same. If they differ, it costs phis: a phi of
 * one value and undefined ones, which would be dropped, becomes a phi of two values. So only phis
 * with a value in common form a web: they share an operand, or the result of one is an operand of
 * the other. Such phis usually stem from one variable of the source. (Chaitin et al., Register
 * Allocation via Coloring, 1981, calls what phis connect a web; Budimlić et al., PLDI 2002,
 * coalesce them where they do not interfere.) */
#ifndef SR_SSA_WEB_H
#define SR_SSA_WEB_H

#include "passes/base/vec.h"
#include "passes/transform/ssa/ssa_share.h"

typedef struct SrWebOperand {
  uint32_t id;
  uint32_t edge; /* of the new graph, which sets the variable */
} SrWebOperand;

typedef struct SrWebPhi {
  uint32_t id, block;              /* new block */
  uint32_t operand, operand_count; /* in SrWebs.operand */
  uint32_t kind, web;              /* phis with equal numbers are one variable */
} SrWebPhi;

typedef struct SrWebs {
  SR_VEC(SrWebPhi) phi; /* those of one block follow each other */
  SR_VEC(SrWebOperand) operand;
} SrWebs;

/* Sets kind and web of all phis, and sorts the phis by web. `edges`: number of edges of the new
 * graph. Near-linear in the operands. */
void sr_ssa_webs_find(SrWebs *webs, SrModule *m, SrArena *arena, uint32_t edges);
/* The index after the web that begins at phi `first`. */
uint32_t sr_ssa_web_end(const SrWebs *webs, uint32_t first);

#endif
