/* SPDX-License-Identifier: Apache-2.0 */
/* choose_order: an order of the blocks, and with it a header for each cycle with several entries,
 * for which structurize's program runs few added blocks, or has few instructions.
 *
 * In LRPO ties are broken by the order in which a search visits the targets of branches, and the
 * entry that it visits first becomes the header of a cycle. Here the targets of branches are
 * exchanged, one branch after the other, as long as that makes the program cheaper. */
#ifndef SR_CHOOSE_ORDER_H
#define SR_CHOOSE_ORDER_H

#include "passes/transform/goal.h"
#include "passes/transform/structurize/sweep.h"

/* The nest of g in the chosen order, in `arena`; never worse than sr_nest_build(rows), where `rows`
 * is g with the successors of each block in an initial order. Cost: a few sweeps; in a small
 * function, one sweep for each branch. */
const SrNest *sr_choose_order(SrArena *arena, const SrGraph *g, const SrGraph *rows,
                              const SrBits *is_switch, const SrSweepOptions *options);

#endif
