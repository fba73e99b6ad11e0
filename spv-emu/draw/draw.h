/* SPDX-License-Identifier: Apache-2.0 */
/* draw: one draw: vertices and fragments in subgroups, with the fixed stages (stages/) between and
 * after them.
 *
 *   draw_vertex.c    shades each vertex of each instance once: attributes in, varyings out
 *   draw_geometry.c  runs the geometry shader on each primitive, and takes what it emits
 *   draw_fragment.c  collects quads, shades them, tests and writes them, batch by batch
 *   draw_inputs.c    the inputs of a subgroup of quads: interpolation, FragCoord, …
 *   draw_check.c     refuses what the emulator cannot draw
 *   draw_traffic.c   memory transactions of attachments
 *   draw_heat.c      the cost of each pixel, if requested
 *   draw.c           joins them, in the order of instances and primitives
 *
 * A subgroup of fragments consists of quads in the order in which the rasterizer finds them; quads
 * of several primitives share a subgroup only if EmuDraw.mixed is set. Depth and stencil tests come
 * before the fragment shader if it asks for that (EarlyFragmentTests), or if nothing can tell the
 * difference: the shader writes no memory, depth or sample mask, and ends no lane early. */
#ifndef EMU_DRAW_H
#define EMU_DRAW_H

#include "spv-emu/exec/workgroup.h"
#include "spv-emu/raster/color.h"
#include "spv-emu/raster/depth_stencil.h"
#include "spv-emu/raster/primitives.h"
#include "spv-emu/raster/vertex_fetch.h"

#include <string.h>

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
  /* Ready to run, except for groups and stage, which emu_draw sets in copies. */
  EmuDispatch vertex, fragment; /* fragment.program NULL: no fragment shader */
  EmuDispatch geometry;         /* geometry.program NULL: no geometry shader */
  EmuAssembly assembly;
  uint32_t first_instance, instances;
  const EmuDrawInput *inputs;
  uint32_t input_count;
  bool discard; /* no primitive is rasterized */
  EmuRaster raster;
  EmuDepthStencil depth_stencil;
  const EmuDrawColor *colors;
  uint32_t color_count;
  bool mixed;         /* a subgroup may have quads of several primitives */
  spv_emu_heat *heat; /* of the framebuffer's size; NULL: not wanted */
} EmuDraw;

/* Limit on the vertices, or indices, of all instances. It bounds the work on primitives that cover
 * nothing; max_issues bounds issues and quads. */
#define EMU_MAX_DRAWN (1u << 28)

/* False: the draw cannot be done, and `text` says why in one line. */
bool emu_draw_check(const EmuDraw *draw, char *text, size_t text_size);
/* Does the geometry shader, if any, accept such primitives? */
bool emu_draw_check_shape(const EmuDraw *draw, EmuShape shape, char *text, size_t text_size);
/* Runs the draw, whose primitives emu_primitives_assemble has made from draw->assembly. The totals
 * are the sums of all batches; after a batch that fails, none follows. If memory runs out, control
 * goes to the jump point of the arena's heap. */
void emu_draw(SrArena *arena, const EmuDraw *draw, const EmuPrimitives *primitives,
              EmuTotals *vertex, EmuTotals *geometry, EmuTotals *fragment);

/* ---- shared by the draw*.c files ------------------------------------------------------------- */

/* The outputs of the vertex shader, by vertex; the vertices of an instance are consecutive. Or the
 * outputs of the geometry shader, as one instance. */
typedef struct EmuShaded {
  const EmuPrimitives *primitives;
  uint32_t first, instances; /* of the draw's instances */
  float (*positions)[4];
  float *point_sizes; /* NULL: not written */
  float *distances;   /* for each vertex clip_count distances, then cull_count; NULL: none */
  uint32_t clip_count, cull_count;
  uint64_t *words; /* `ports` for each vertex: the program's outputs, in their order */
  uint32_t ports;
  uint32_t *ids; /* by vertex: PrimitiveId of primitives that start with it; NULL: the primitives'
                    numbers */
} EmuShaded;

/* Allocates room for `count` vertices of what the program writes. */
void emu_shaded_allocate(SrArena *arena, const EmuProgram *program, EmuShaded *to, uint64_t count);

static inline void emu_put_scalar(EmuLanes *s, uint32_t row, EmuKind kind, uint32_t lane,
                                  uint64_t bits) {
  uint32_t bytes = emu_kind_bytes(kind);
  memcpy(s->file + row + (size_t)lane * bytes, &bits, bytes);
}

/* Shades `shaded->instances` instances. False: it failed; the totals say how. */
bool emu_draw_vertices(SrArena *arena, const EmuDraw *draw, EmuShaded *shaded, EmuTotals *totals);

/* Receives what some invocations emitted. False: stop. */
typedef bool EmuShadedSink(void *user, const EmuShaded *shaded);
/* Runs the geometry shader on all primitives of all instances of `from`. False: it failed (the
 * totals say how), or the sink said stop. */
bool emu_draw_geometry(SrArena *arena, const EmuDraw *draw, const EmuShaded *from,
                       EmuTotals *totals, EmuShadedSink *sink, void *user);

#define EMU_NO_SOURCE UINT32_MAX
/* The output that an input of the next stage reads: its index in the outputs. */
uint32_t emu_draw_source(const EmuProgram *from, const EmuPort *input);

/* A subgroup: quads of the batch; or, if a subgroup is one lane, one lane of a quad. */
typedef struct EmuPack {
  uint32_t first, count, lane;
} EmuPack;

enum { EMU_MOST_QUADS = 1 << 14 }; /* of a batch */

/* What the subgroups of a batch issue. */
typedef struct EmuHeatBatch {
  uint64_t *issues; /* by pack; NULL: not wanted */
  uint64_t *used;   /* by [4 * quad + lane]: the issues for which the lane was active and not a
                       helper */
  uint64_t first;   /* the number of the first pack's subgroup in the draw */
} EmuHeatBatch;

typedef struct EmuFragments {
  SrArena *arena;
  const EmuDraw *draw;
  const EmuShaded *shaded;
  EmuTotals *totals;
  const uint32_t *sources; /* by input of the fragment shader: output of the vertex shader */
  bool early;              /* tests come before shading */
  uint64_t first_vertex;   /* of the current instance, in `shaded` */
  uint64_t found;          /* quads so far, including those that early tests drop */
  bool has_primitive;      /* the batch's last primitive is the current one; the caller clears it */

  /* The batch: quads, each once for every sample if the shader runs per sample. */
  uint32_t count, primitive_count, pack_count;
  EmuQuad *quads;
  uint32_t *primitive_of;
  uint8_t *sample_of;
  uint16_t (*untested)[4]; /* masks before early tests, for SampleMask; NULL: not needed */
  EmuPrimitive *primitives;
  uint64_t *base; /* by primitive: first_vertex */
  EmuPack *packs;
  EmuHeatBatch heat;

  /* Written by the shader: [4 * quad + lane]. */
  uint16_t (*masks)[4];
  uint32_t **outputs;  /* by output of the program */
  uint32_t *undefined; /* for outputs that it does not have; NULL: those write nothing, or 0 */
  float *depths;       /* NULL: the shader writes none */
  uint32_t *sample_masks, *stencil_refs;
} EmuFragments;

/* Allocates the batch, and finds `sources` by location. `totals`: those of the fragment shader or,
 * if there is none, of the vertex shader. */
void emu_fragments_init(EmuFragments *f, SrArena *arena, const EmuDraw *draw, EmuTotals *totals);
/* An EmuQuadSink: `user` is the EmuFragments. False: shading has failed, or there are too many
 * quads; the totals say which. */
bool emu_fragments_add(void *user, const EmuPrimitive *primitive, const EmuQuad *quads,
                       uint32_t count);
/* Shades and writes the quads that were added. */
bool emu_fragments_flush(EmuFragments *f);

/* draw_heat.c: emu_heat_start allocates the counts; emu_heat_begin zeroes them for a batch whose
 * packs are made; emu_heat_issued is the `issued` of a stage whose user is the EmuFragments;
 * emu_heat_end adds the batch to draw->heat. */
void emu_heat_start(EmuFragments *f);
void emu_heat_begin(EmuFragments *f);
void emu_heat_issued(void *user, const EmuLanes *s, uint64_t subgroup, uint32_t count,
                     const EmuMask *on);
void emu_heat_end(const EmuFragments *f);

/* draw_traffic.c: counts the bytes of attachments that the subgroups of the batch read and
 * write. */
void emu_traffic_count(const EmuFragments *f);

/* draw_inputs.c: fills the inputs of the lanes of a pack. */
void emu_draw_inputs(const EmuFragments *f, EmuLanes *s, const EmuPack *pack);

#endif
