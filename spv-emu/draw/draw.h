/* SPDX-License-Identifier: Apache-2.0 */
/* draw: one draw: vertices and fragments in subgroups, with the fixed stages (stages/) between and
 * after them.
 *
 *   draw_vertex.c    shades each vertex of each instance once: attributes in, varyings out
 *   draw_fragment.c  collects quads, shades them, tests and writes them, batch by batch
 *   draw_inputs.c    the inputs of a subgroup of quads: interpolation, FragCoord, …
 *   draw.c           joins them, in the order of instances and primitives
 *
 * A subgroup of fragments is quads in the order in which the rasterizer finds them; those of
 * several primitives share one only with EmuDraw.mixed. Depth and stencil tests come before the
 * fragment shader where it asks for that (EarlyFragmentTests), or where nothing can tell the
 * difference: it writes no memory, depth or sample mask, and ends no lane early. */
#ifndef EMU_DRAW_H
#define EMU_DRAW_H

#include "exec/workgroup.h"
#include "stages/assembly.h"
#include "stages/color.h"
#include "stages/depth_stencil.h"
#include "stages/vertex_fetch.h"

typedef struct EmuDrawInput {
  uint32_t location;
  bool per_instance;
  EmuVertexInput from;
} EmuDrawInput;

typedef struct EmuDrawColor {
  uint32_t location;
  EmuColorTarget target;
} EmuDrawColor;

typedef struct EmuDraw {
  /* Ready to run except for groups and stage, which are set here. */
  EmuDispatch vertex, fragment; /* fragment.program NULL: no fragment shader */
  EmuAssembly assembly;
  uint32_t first_instance, instances;
  const EmuDrawInput *inputs;
  uint32_t input_count;
  bool discard; /* no primitive is rasterized */
  EmuRaster raster;
  EmuDepthStencil depth_stencil;
  const EmuDrawColor *colors;
  uint32_t color_count;
  bool mixed; /* a subgroup may have quads of several primitives */
} EmuDraw;

/* False: `text` is one line that says what the draw cannot have. */
bool emu_draw_check(const EmuDraw *draw, char *text, size_t text_size);
/* Runs the draw, whose primitives emu_primitives_assemble has made of draw->assembly. The totals
 * are the sums of all batches; a batch that fails is the last. If memory runs out, control goes to
 * the jump point of the arena's heap. */
void emu_draw(SrArena *arena, const EmuDraw *draw, const EmuPrimitives *primitives,
              EmuTotals *vertex, EmuTotals *fragment);

/* ---- shared by the draw*.c files ------------------------------------------------------------- */

/* What the vertex shader wrote, by vertex: those of an instance follow each other. */
typedef struct EmuShaded {
  const EmuPrimitives *primitives;
  uint32_t first, instances; /* of the draw's instances */
  float (*positions)[4];
  float *point_sizes; /* NULL: not written */
  float *distances;   /* clip_count, then cull_count, for each vertex; NULL */
  uint32_t clip_count, cull_count;
  uint64_t *words; /* `ports` for each vertex: the program's outputs, in their order */
  uint32_t ports;
} EmuShaded;

/* Shades `shaded->instances` instances. False: it failed, as the totals say. */
bool emu_draw_vertices(SrArena *arena, const EmuDraw *draw, EmuShaded *shaded, EmuTotals *totals);

#define EMU_NO_SOURCE UINT32_MAX

/* A subgroup: quads of the batch, or, where a subgroup is one lane, one lane of a quad. */
typedef struct EmuPack {
  uint32_t first, count, lane;
} EmuPack;

typedef struct EmuFragments {
  SrArena *arena;
  const EmuDraw *draw;
  const EmuShaded *shaded;
  EmuTotals *totals;
  const uint32_t *sources; /* by input of the fragment shader: the vertex shader's output */
  bool early;              /* tests come before shading */
  uint64_t first_vertex;   /* of the current instance, in `shaded` */
  bool has_primitive;      /* the last of the batch is the current one; the caller clears it */

  /* The batch: quads, once for each sample if the shader runs for each. */
  uint32_t count, primitive_count, pack_count;
  EmuQuad *quads;
  uint32_t *primitive_of;
  uint8_t *sample_of;
  EmuPrimitive *primitives;
  uint64_t *base; /* by primitive: first_vertex */
  EmuPack *packs;

  /* Written by the shader: [4 * quad + lane]. */
  uint16_t (*masks)[4];
  uint32_t **outputs; /* by output of the program */
  float *depths;      /* NULL: it writes none */
  uint32_t *sample_masks;
} EmuFragments;

/* Allocates the batch; `sources` are found by location. */
void emu_fragments_init(EmuFragments *f, SrArena *arena, const EmuDraw *draw, EmuTotals *totals);
/* An EmuQuadSink: `user` is the EmuFragments. False: shading has failed. */
bool emu_fragments_add(void *user, const EmuPrimitive *primitive, const EmuQuad *quads,
                       uint32_t count);
/* Shades and writes what was added. */
bool emu_fragments_flush(EmuFragments *f);

/* draw_inputs.c: fills the inputs of the lanes of a pack. */
void emu_draw_inputs(const EmuFragments *f, EmuLanes *s, const EmuPack *pack);

#endif
