/* merge_blocks: one block for two that do the same.
 *
 *      p    q                        p    q
 *      |    |                         \  /
 *      y    x     same code,    =>      y(v)    v = phi p: a, q: b
 *     (a)  (b)    same targets
 *      |`. .'|                         |  `.
 *      t   u                           t    u
 *
 * Both must lead to the very same blocks, so what they lead to is merged first. Then no block but
 * they themselves uses their values directly, only arguments on their edges do; what the two take,
 * or hand on, of different values becomes a parameter. Parameters that this leaves further down
 * with one argument only are dropped at the end. */
#ifndef SR_MERGE_BLOCKS_H
#define SR_MERGE_BLOCKS_H

#include "transform/merge/merge_graph.h"

/* The code and targets of a block as a hash. */
uint64_t sr_merge_hash(const SrMergeGraph *g, uint32_t b);
/* The code alone. */
uint64_t sr_merge_hash_code(const SrMergeGraph *g, uint32_t b);
/* Are the instructions the same up to ids, decorated alike, targets aside? */
bool sr_merge_same_code(const SrMergeGraph *g, uint32_t x, uint32_t y);
/* Block x, whose edges are gone, is y from now on, result by result. */
void sr_merge_replace(SrMergeGraph *g, uint32_t x, uint32_t y);
/* Can x be merged into y? */
bool sr_merge_fits(SrMergeGraph *g, uint32_t x, uint32_t y);
/* Does it. */
void sr_merge_blocks(SrMergeGraph *g, uint32_t x, uint32_t y);

#endif
