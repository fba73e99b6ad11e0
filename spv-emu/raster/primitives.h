/* SPDX-License-Identifier: Apache-2.0 */
/* primitives: which vertices a draw has, and which of them form each primitive.
 *
 * Every distinct index becomes one vertex, which is shaded once for each instance. All instances
 * have the same vertices and primitives, so a draw is assembled once. The provoking vertex is
 * corner 0, as in Vulkan by default. Reference: Vulkan, "Drawing Commands", "Primitive Topologies",
 * "Primitive Restart". */
#ifndef EMU_PRIMITIVES_H
#define EMU_PRIMITIVES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define EMU_MAX_VERTICES (1u << 24) /* of one instance of a draw; indices count as vertices */

/* Number of corners of a primitive that the rasterizer knows. */
typedef enum EmuShape { EMU_POINT = 1, EMU_LINE = 2, EMU_TRIANGLE = 3 } EmuShape;

typedef struct EmuAssembly {
  uint32_t topology;      /* VkPrimitiveTopology */
  uint32_t first, count;  /* range of the vertices, or of the indices */
  const uint8_t *indices; /* NULL: vertices first … first + count - 1 */
  uint64_t index_size;    /* bytes; indices past it are 0 */
  uint32_t index_bits;    /* 8, 16 or 32 */
  uint32_t vertex_offset; /* added to each index, modulo 2^32 */
  bool
      provoking_last; /* the last vertex of a primitive in drawing order comes first in `corners` */
  bool restart;       /* the greatest index of this width ends a strip, fan or primitive */
} EmuAssembly;

typedef struct EmuPrimitives {
  EmuShape shape;
  uint32_t *vertices; /* VertexIndex of each vertex, in order of first use */
  uint32_t vertex_count;
  uint32_t *corners; /* `shape` for each primitive, in drawing order: indices in `vertices` */
  uint32_t count;    /* number of primitives, which are numbered by PrimitiveId */
} EmuPrimitives;

/* Assembles a draw; free the result with emu_primitives_free even if it fails. False: `text` says
 * why in one line (a topology that is not modelled, a limit, out of memory). */
bool emu_primitives_assemble(const EmuAssembly *draw, EmuPrimitives *result, char *text,
                             size_t text_size);
void emu_primitives_free(EmuPrimitives *primitives);

#endif
