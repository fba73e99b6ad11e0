/* SPDX-License-Identifier: Apache-2.0 */
/* quad: what concerns the fragments of a quad together: derivatives and helper lanes.
 *
 * Quad q is lanes 4 q to 4 q + 3: the fragments at (x, y), (x + 1, y), (x, y + 1), (x + 1, y + 1),
 * with x and y even. Lanes whose fragment the primitive does not cover are *helper lanes*
 * (EmuLanes.helper): they run, so that the others have values to subtract, and write nothing to
 * memory.
 *
 *        0 --- 1      dFdx, fine: 1 - 0 for lanes 0 and 1, 3 - 2 for lanes 2 and 3
 *        |     |            coarse: 1 - 0 for all
 *        2 --- 3      dFdy, fine: 2 - 0 for lanes 0 and 2, 3 - 1 for lanes 1 and 3
 *                           coarse: 2 - 0 for all
 *
 * Plain dFdx and dFdy are the coarse ones. If only some lanes of a quad are active, SPIR-V leaves
 * the result undefined. Here the inactive lanes take part with the last contents of their
 * registers, as on hardware, and EmuCounts.quad_breaks counts the quad, unless all its active lanes
 * are helpers. */
#ifndef EMU_QUAD_H
#define EMU_QUAD_H

#include "spv-emu/engine/engine.h"

/* The handler of OpDPdx to OpFwidthCoarse on a row of EMU_F32: d from a. x: 1 for the first
 * component of a vector, else 0, so that a broken quad is counted once. NULL: another opcode. */
EmuHandler *emu_quad_find(SpvOp op);

/* Counts the quads in which only some lanes are active, unless all active ones are helper lanes. */
void emu_quad_check(EmuLanes *s);

/* Makes the active lanes helper lanes. */
EmuHandler emu_quad_demote;
/* d (EMU_BOOL): is the lane a helper lane? */
EmuHandler emu_quad_is_helper;
/* Sets d, of x bytes per lane, to 0 in the active helper lanes. */
EmuHandler emu_quad_blank;
/* Instructions between these two, which store to memory, run without the helper lanes. */
EmuHandler emu_quad_hide, emu_quad_show;

/* Sets `over` to the lanes in `lanes` that no longer serve a purpose: helper lanes in quads whose
 * lanes in `live` are all helper lanes. True: there are some. */
bool emu_quad_over(const EmuLanes *s, const EmuMask *live, const EmuMask *lanes, EmuMask *over);

#endif
