/* SPDX-License-Identifier: Apache-2.0 */
/* peel: gives a cycle with several entries a single one, as backward_copy.h does, if the copies are
 * small. Lanes that enter at a block other than the header run copies until they reach the header.
 * The header is the entry that needs the smallest copies.
 *
 *     q     r             q     r
 *     |     |             |     |
 *  +> h --> e -+      +-> h     e'
 *  |           |      |   | <---+
 *  +-----------+      |   v
 *                     +-- e */
#ifndef SR_PEEL_H
#define SR_PEEL_H

#include "passes/transform/copy/tail.h"

/* Finds what has to be copied so that a cycle of t->nest keeps one entry: t->tail, with the edges
 * to it from outside in t->in. False: the cycle has one entry or very many; the copies would have
 * more than `most` instructions; or a block that must not be copied lies in the cycle, or in a
 * cycle around it that lanes enter there, too. Nothing in the cycle may have been copied before.
 * Cost: the blocks and edges of the cycle, for each entry. */
bool sr_peel_find(SrTails *t, uint32_t cycle, uint32_t most);
/* Copies what was found, and redirects the edges from outside to the copies. */
void sr_peel(SrTails *t);

#endif
