/* SPDX-License-Identifier: Apache-2.0 */
/* merge_blocks: merges two blocks that do the same.
 *
 *      p    q                        p    q
 *      |    |                         \  /
 *      y    x     same code,    =>      y(v)    v = phi p: a, q: b
 *     (a)  (b)    same targets
 *      |`. .'|                         |  `.
 *      t   u                           t    u
 *
 * Both must have exactly the same targets, so the targets are merged first. Then the values of the
 * two blocks are used only in the blocks themselves and in arguments on their edges. Where the
 * values that the two use or pass on differ, a parameter replaces them. Parameters of later blocks
 * that are left with a single argument are dropped at the end. */
#ifndef SR_MERGE_BLOCKS_H
#define SR_MERGE_BLOCKS_H

#include "passes/transform/merge/merge_graph.h"

/* The code and targets of a block as a hash. */
uint64_t sr_merge_hash(const SrMergeGraph *g, uint32_t b);
/* The code alone as a hash. */
uint64_t sr_merge_hash_code(const SrMergeGraph *g, uint32_t b);
/* Apart from ids and targets, are the instructions the same, and decorated alike? */
bool sr_merge_same_code(const SrMergeGraph *g, uint32_t x, uint32_t y);
/* Replaces block x, whose edges have been removed, by y, result by result. */
void sr_merge_replace(SrMergeGraph *g, uint32_t x, uint32_t y);
/* Can x be merged into y? */
bool sr_merge_fits(SrMergeGraph *g, uint32_t x, uint32_t y);
/* Merges x into y. */
void sr_merge_blocks(SrMergeGraph *g, uint32_t x, uint32_t y);

#endif
