/* SPDX-License-Identifier: Apache-2.0 */
/* decode_geometry: what only geometry shaders have: execution modes, and the instructions that emit
 * vertices. */
#ifndef EMU_DECODE_GEOMETRY_H
#define EMU_DECODE_GEOMETRY_H

#include "spv-emu/decode/decode.h"

/* Execution mode `mode` with its first operand; *mine: is it a geometry shader's? */
bool emu_geometry_mode(EmuDecode *d, SrRef r, uint32_t mode, uint32_t value, bool *mine);
/* Reserves room for the vertices of each lane, after all variables are declared. */
bool emu_geometry_room(EmuDecode *d);
/* OpEmitVertex, OpEndPrimitive. */
bool emu_decode_geometry(EmuDecode *d, SrRef r, bool *mine);

#endif
