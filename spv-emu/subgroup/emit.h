/* SPDX-License-Identifier: Apache-2.0 */
/* emit: the vertices that the lanes of a geometry shader emit. They stay in the register file until
 * the lanes return (EmuGeometry): for each lane `most` vertices of `words` numbers. */
#ifndef EMU_EMIT_H
#define EMU_EMIT_H

#include "spv-emu/engine/engine.h"

/* OpEmitVertex: the list has the rows of all outputs and of all components of output builtins, in
 * the program's order. After `most` vertices, a lane's further vertices are dropped. */
EmuHandler emu_emit_vertex;
/* OpEndPrimitive: the next vertex starts another strip. */
EmuHandler emu_end_primitive;

/* To be called before the first instruction: the lane has emitted nothing. */
void emu_emit_start(EmuLanes *s, uint32_t lane);
/* The number of vertices that the lane has emitted; the numbers of vertex `n`. */
uint32_t emu_emitted(const EmuLanes *s, uint32_t lane);
uint64_t *emu_emitted_vertex(const EmuLanes *s, uint32_t lane, uint32_t n);

#endif
