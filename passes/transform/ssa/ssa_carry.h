/* SPDX-License-Identifier: Apache-2.0 */
/* ssa_carry: finds the joins of one variable, and the variable's value on the edges into them. A
 * join is a block on the lanes' paths (ssa_path.h) where lanes that carry the variable may meet
 * others. This happens between sr_ssa_begin and sr_ssa_solve.
 *
 * The variable's value on an edge is its value at the nearest join that dominates the edge's
 * source, because all lanes that carry the variable there passed that join. If no lane passes that
 * join and then the edge, the variable stays undefined on the edge, which saves phis. It does no
 * harm to set the variable on more edges than necessary. */
#ifndef SR_SSA_CARRY_H
#define SR_SSA_CARRY_H

#include "passes/analysis/graph/dom_set.h"
#include "passes/transform/ssa/ssa_path.h"
#include "passes/transform/ssa/ssa_value.h"

/* Lanes that carry the variable under the name that begins in block `name` reach block `to`. */
typedef struct SrStretch {
  uint32_t name, to;
} SrStretch;

typedef struct SrNoted {
  uint32_t epoch, to;
} SrNoted;

/* Lanes headed for old block `target` that passed a join have the name `name` at the target. */
typedef struct SrWent {
  uint32_t epoch, target, name;
} SrWent;

typedef struct SrCarry {
  SrSsa *ssa;
  const SrSsaPaths *paths;
  uint32_t most;      /* if there are more joins than this, the search is given up */
  uint32_t *epoch_of; /* by block: == ssa->epoch: it is a join of the current variable */
  SrDomSet join;
  SR_VEC(SrStretch) stretch;
  SrNoted *noted;          /* by block where a name begins: the stretches noted last */
  uint32_t *vague;         /* by block where a name begins: == epoch, its lanes may pass any join */
  SrWent *went;            /* by join: the last target of lanes that left it */
  SR_VEC(uint32_t) passed; /* joins on the current path */
  SrNoted *run; /* by join, if control flow is not structured: a block further up its chain
                   (SrSsaPaths.up); this block and all blocks between the two on the chain are known
                   joins */
  uint32_t epoch;
} SrCarry;

SrCarry sr_carry_new(SrSsa *ssa, const SrSsaPaths *paths);
/* Forgets the joins; to be called after sr_ssa_begin. `most` SR_NONE: any number of them. */
void sr_carry_begin(SrCarry *c, uint32_t most);
bool sr_carry_gave_up(const SrCarry *c);
/* Starts another round over all lanes, with the joins found so far. Only the stretches of the last
 * round count. */
void sr_carry_again(SrCarry *c);
/* Makes the block a join; returns whether it was not one before. */
bool sr_carry_join(SrCarry *c, uint32_t block);
/* Finds the joins of lanes that reach new block `at` (added, or the target itself), are headed for
 * old block `target`, and carry the variable under the name that begins in block `*name`; `named`:
 * they get that name at `at`. Sets *name to the block where the name begins that they have at the
 * target; returns whether there are new joins. */
bool sr_carry_along(SrCarry *c, uint32_t *name, uint32_t at, uint32_t target, bool named);
/* To be called after all joins are found: sets the variable on the edges into these joins on which
 * it is not set yet. The edges that `home` dominates (SR_NONE: none) get `id`. */
void sr_carry_finish(SrCarry *c, uint32_t home, uint32_t id);
/* The nearest join that dominates the block, or SR_NONE; after sr_carry_finish. */
uint32_t sr_carry_nearest(const SrCarry *c, uint32_t block);

#endif
