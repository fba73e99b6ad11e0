/* SPDX-License-Identifier: Apache-2.0 */
/* end_mark: indices that are ~0 where there is nothing more to do.
 *
 *   index = done ? ~0u : row * 64 + gl_LocalInvocationID.x;
 *   if (index != ~0u) …     lanes go different ways only if they differ in `done`
 *
 * Lanes have different indices, but either all of them have the mark, or none has. This is true if
 * no other lane's index is ~0, that is, if there are fewer than 2^32 elements. The lint assumes
 * so. */
#ifndef SR_END_MARK_H
#define SR_END_MARK_H

#include "passes/analysis/uniform/memory_cells.h"

/* Does the instruction compare a value with ~0, by == or !=? */
bool sr_compares_end_mark(const SrModule *m, SrRef r);
/* Does the instruction compute a lane's index, a multiple of at least the workgroup's size plus `id`, the
 * lane's number in the workgroup? */
bool sr_is_lane_index(const SrMemory *memory, const SrModule *m, SrRef r, uint32_t id);

#endif
