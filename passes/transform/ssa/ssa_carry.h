/* ssa_carry: the joins of one variable: the blocks where lanes that carry it may meet others, found
 * along the lanes' routes (ssa_route.h), and what the variable is on the edges into them. It goes
 * between sr_ssa_begin and sr_ssa_solve.
 *
 * On an edge the variable is what it is at the nearest join that dominates the edge's source: all
 * lanes that carry it there came through that join. Where none comes through that join and along
 * the edge, it stays undefined, which saves phis; where one may, more edges into a block than
 * necessary may have the value, which does no harm. */
#ifndef SR_SSA_CARRY_H
#define SR_SSA_CARRY_H

#include "analysis/dom_set.h"
#include "transform/ssa/ssa_route.h"
#include "transform/ssa/ssa_value.h"

/* Lanes that carry the variable under the name it has since block `name` come to block `to`. */
typedef struct SrStretch {
  uint32_t name, to;
} SrStretch;

typedef struct SrNoted {
  uint32_t epoch, to;
} SrNoted;

/* Lanes that came to a join headed for old block `target` have name `name` there. */
typedef struct SrWent {
  uint32_t epoch, target, name;
} SrWent;

typedef struct SrCarry {
  SrSsa *ssa;
  const SrRoutes *routes;
  uint32_t most;      /* more joins than this are not looked for: the variable is given up */
  uint32_t *epoch_of; /* by block: == ssa->epoch, it is a join of the variable at hand */
  SrDomSet join;
  SR_VEC(SrStretch) stretch;
  SrNoted *noted;          /* by block that is a name: stretches noted lately */
  SrWent *went;            /* by join: the last target that lanes went to from there */
  SR_VEC(uint32_t) passed; /* joins on the way at hand */
  SrNoted *run; /* by join, in unstructured control flow: one further up; all between are joins */
  uint32_t epoch;
} SrCarry;

SrCarry sr_carry_new(SrSsa *ssa, const SrRoutes *routes);
/* Forgets the joins; after sr_ssa_begin. SR_NONE: any number of them. */
void sr_carry_begin(SrCarry *c, uint32_t most);
bool sr_carry_gave_up(const SrCarry *c);
/* All lanes are carried along once more, with what is known now: this round alone tells where they
 * go. */
void sr_carry_again(SrCarry *c);
/* Says whether the block was no join before. */
bool sr_carry_join(SrCarry *c, uint32_t block);
/* Finds the joins of lanes that come to new block `at` (added, or the target itself) headed for old
 * block `target`, and carry the variable under the name it has since block `name`; `named`: they
 * get that name at `at` just now. Sets *name to the block whose name they have at the target; says
 * whether there are new joins. */
bool sr_carry_along(SrCarry *c, uint32_t *name, uint32_t at, uint32_t target, bool named);
/* All joins are known: sets the variable on their edges, where it is not set yet. What `home`
 * dominates (SR_NONE: nothing) has `id`. */
void sr_carry_finish(SrCarry *c, uint32_t home, uint32_t id);
/* The nearest join that dominates the block, or SR_NONE; after sr_carry_finish. */
uint32_t sr_carry_nearest(const SrCarry *c, uint32_t block);

#endif
