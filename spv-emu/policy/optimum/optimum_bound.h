/* SPDX-License-Identifier: Apache-2.0 */
/* optimum_bound: a lower bound of the cost of a schedule of many paths.
 *
 * The projection of a schedule on some of the blocks is a schedule of the paths' projections on
 * them. So if the blocks are divided into classes, the sum over classes of bounds for the
 * projections is a bound for the whole. With one block in each class this is the estimate of
 * path_index.h; larger classes take into account that paths take the same blocks in different
 * order.
 *
 * The bound for one class is the largest of the estimate, the bound of a short search
 * (optimum_search.h), and the exact cost of two of the paths, by the classic table (Wagner and
 * Fischer, The string-to-string correction problem, 1974). Different classes may use different
 * pairs of paths, so the sum exceeds what any pair costs.
 *
 * Classes start with one block each; the two whose union gains most are united, until no union
 * gains or the work is spent. */
#ifndef EMU_OPTIMUM_BOUND_H
#define EMU_OPTIMUM_BOUND_H

#include "spv-emu/policy/optimum/lane_paths.h"

/* Uses at most p->work, and subtracts what it uses. */
uint64_t emu_optimum_bound(EmuLanePaths *p);
/* The exact cost of two paths. */
uint64_t emu_optimum_bound_pair(const EmuLanePaths *p, const EmuPath *a, const EmuPath *b);

#endif
