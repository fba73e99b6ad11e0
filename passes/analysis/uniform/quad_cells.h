/* SPDX-License-Identifier: Apache-2.0 */
/* quad_cells: coordinates that all lanes of a quad share.
 *
 * A quad covers two columns and two rows of pixels, the first of which are even. So it lies in one
 * cell of any grid with an even step: if x is a coordinate of FragCoord as an integer, then x / 4,
 * x >> 1 and x & ~1 are the same for its lanes. */
#ifndef SR_QUAD_CELLS_H
#define SR_QUAD_CELLS_H

#include "passes/analysis/uniform/memory_cells.h"

/* Is the instruction's result the number of such a cell? */
bool sr_is_quad_cell(const SrMemory *memory, const SrModule *m, SrRef r);

#endif
