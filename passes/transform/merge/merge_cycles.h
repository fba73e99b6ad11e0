/* merge_cycles: one cycle for two that do the same.
 *
 * Both are entered at one block only. From there their blocks are numbered as a search by
 * successors meets them; they are the same if blocks of one number have the same code, and lead to
 * blocks of one number, or out of the cycle to the very same block. What they take from outside of
 * different values becomes a parameter of the entry; parameters of their blocks must correspond. */
#ifndef SR_MERGE_CYCLES_H
#define SR_MERGE_CYCLES_H

#include "base/map.h"
#include "transform/merge/merge_graph.h"

typedef struct SrMergeCycle {
  uint32_t *block, count; /* by number, the entry first */
  uint32_t next;          /* the candidate before of the same hash, or SR_NONE */
} SrMergeCycle;

typedef struct SrMergeCycles {
  SrMergeGraph *g;
  const SrBits *kept;    /* by block: not to be merged into another */
  uint64_t *code_before; /* by rank: blocks with code, and the code, of those before */
  SrMap of_size;         /* by hash of a cycle's blocks and code: how many cycles have as much */
  SrMap first;           /* by hash: the latest candidate, in `cycle` */
  SR_VEC(SrMergeCycle) cycle;
  uint32_t *number;          /* by block: its number in the cycle it was last counted in */
  uint32_t *epoch_of, epoch; /* by block: == epoch, it is in the cycle at hand */
  uint32_t *place[2]; /* by block: its number in the cycles that are compared, else SR_NONE */
} SrMergeCycles;

/* After empty blocks have been left out. */
SrMergeCycles sr_merge_cycles_new(SrMergeGraph *g, const SrBits *kept);
/* All blocks of the nest's cycle have had their turn: merges it into an earlier one that is the
 * same, or makes it a candidate. */
void sr_merge_cycle(SrMergeCycles *k, uint32_t cycle);

#endif
