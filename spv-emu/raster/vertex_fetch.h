/* SPDX-License-Identifier: Apache-2.0 */
/* vertex_fetch: reads the attributes of a vertex from a vertex buffer, and converts them to the
 * words of a vertex shader's input. Reference: Vulkan, "Vertex Input Extraction" and "Robust Buffer
 * Access". */
#ifndef EMU_VERTEX_FETCH_H
#define EMU_VERTEX_FETCH_H

#include "spv-emu/format/raster_state.h"

typedef struct EmuVertexInput {
  const EmuFormat *format;
  const uint8_t *bytes; /* of vertex 0 (or instance 0): the buffer's contents from the offset on */
  uint64_t size;        /* bytes from there to the buffer's end */
  uint32_t stride;
} EmuVertexInput;

/* Words of one component: 2 if the format's numbers have 64 bits (low word first), else 1. */
uint32_t emu_vertex_words(const EmuFormat *format);

/* Reads attribute `index` (a vertex or an instance) into words[0 … 4 * emu_vertex_words() - 1], red
 * to alpha. Integers of UINT and SINT formats are extended to 32 bits, all other numbers become
 * floats. Components that the format lacks are 0, 0, 0, 1. An attribute that is not wholly inside
 * the buffer reads as 0, 0, 0, 1, and the result is false. */
bool emu_vertex_fetch(const EmuVertexInput *input, uint64_t index, uint32_t words[8]);

#endif
