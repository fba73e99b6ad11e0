/* SPDX-License-Identifier: Apache-2.0 */
/* raster: turns shaded vertices into 2x2 quads of fragments.
 *
 *   raster.c          the state of a draw and its limits
 *   setup.c           a primitive: facing, culling, depth bias, polygon mode
 *   setup_polygon.c   the polygon and the plane equations of a triangle
 *   setup_stroke.c    those of lines (rectangles) and points (squares)
 *   clip.c            the viewport; vertices behind the eye or beyond the guard band
 *   coverage.c        the samples that a polygon covers, as quads
 *   samples.c         the standard sample positions
 *
 * Coordinates: x to the right, y down, pixel (0, 0) at the top left with its centre at (0.5, 0.5).
 * Lanes of a quad: 0 = (x, y), 1 = (x + 1, y), 2 = (x, y + 1), 3 = (x + 1, y + 1). Nothing here
 * allocates; several threads may run all functions concurrently. */
#ifndef EMU_RASTER_H
#define EMU_RASTER_H

#include "spv-emu/format/raster_state.h"
#include "spv-emu/raster/primitives.h"

#define EMU_MAX_FRAMEBUFFER 16384u /* pixels along a side */
#define EMU_MAX_DISTANCES 8        /* clip and cull distances together, as in Vulkan's drivers */
#define EMU_MAX_CORNERS 9          /* of a clipped polygon: three, plus one for each plane */
#define EMU_MAX_SAMPLES 16
#define EMU_MAX_POINT_SIZE 255 /* pixels, as in lavapipe; larger points and lines get this size */

/* The fixed state of a draw. Numbers are Vulkan's. */
typedef struct EmuRaster {
  uint32_t width, height; /* of the framebuffer */
  uint32_t samples;       /* 1, 2, 4, 8 or 16 */
  uint32_t subpixel_bits; /* 4 or 8 */
  EmuViewport viewport;
  bool negative_one_to_one; /* depths in clip coordinates are from -w to w */
  EmuRect scissor;
  uint32_t polygon_mode;          /* VkPolygonMode */
  uint32_t cull_mode, front_face; /* VkCullModeFlags, VkFrontFace */
  float line_width;
  EmuDepthState depth;           /* clamp and bias */
  const EmuFormat *depth_format; /* determines the unit of the depth bias; NULL: no depth
                                    attachment */
} EmuRaster;

/* The state that scripts set; 1 sample, 8 sub-pixel bits, the whole framebuffer. */
EmuRaster emu_raster_of(const EmuRasterState *state, const EmuFormat *depth_format);
/* False: `text` names in one line the limit that the state exceeds. */
bool emu_raster_check(const EmuRaster *raster, char *text, size_t text_size);

typedef struct EmuDepthRange {
  float least, most;
} EmuDepthRange;

/* The range to which a fragment's depth is clamped before it is tested: with depth clamp, the
 * viewport's range, whichever of its ends is the greater one; else 0 to 1 or, if unrestricted, any
 * depth. */
EmuDepthRange emu_raster_depths(const EmuRaster *raster);

/* The outputs of vertex shaders. Arrays are by vertex. */
typedef struct EmuVertices {
  const float (*positions)[4];     /* clip coordinates */
  const float *point_sizes;        /* NULL: all 1 */
  const float *distances;          /* for each vertex clip_count distances, then cull_count */
  uint32_t clip_count, cull_count; /* at most EMU_MAX_DISTANCES together */
} EmuVertices;

/* c + x * dx + y * dy, with x and y from the origin of the primitive. */
typedef struct EmuPlane {
  double c, dx, dy;
} EmuPlane;

/* A primitive in the framebuffer.
 *
 * An input f that the vertices have as f[0], f[1], f[2] is interpolated by the planes e: the sum of
 * e[i] * f[i] is f/w, that of e[i] is 1/w, and their quotient is f, perspective-correct. The sum of
 * e[i] * w[i] * f[i] is f without perspective. Both hold beyond the edges, too. For lines e[2] is
 * 0; for points e[1] is 0, too. */
typedef struct EmuPrimitive {
  uint32_t vertex[3]; /* its corners in EmuVertices; lines and points repeat their last corner */
  uint32_t id;        /* PrimitiveId */
  EmuShape shape;     /* as rasterized: a triangle in polygon mode LINE has EMU_LINE */
  bool front;         /* FrontFacing; true for lines and points */
  double x0, y0;      /* the origin of the planes, in pixels */
  EmuPlane e[3];
  double w[3];
  EmuPlane z;        /* depth in the framebuffer, bias included */
  EmuPlane coord[2]; /* PointCoord */
  /* The polygon, in units of 1/2^subpixel_bits pixels. */
  uint8_t corners;
  int32_t x[EMU_MAX_CORNERS], y[EMU_MAX_CORNERS];
  /* Samples where one of these planes is negative are not covered: near, far, clip distances; for
   * lines also the sides of the view volume. */
  uint8_t clips;
  EmuPlane clip[EMU_MAX_DISTANCES + 6];
} EmuPrimitive;

/* Prepares primitive `id`, whose corners are `corner[0 … shape - 1]`. Returns the number of
 * primitives that it becomes in the framebuffer: 0 (culled, clipped, nothing to cover) to 3
 * (outlines of a triangle). */
uint32_t emu_primitive_setup(const EmuRaster *raster, const EmuVertices *vertices, EmuShape shape,
                             const uint32_t *corner, uint32_t id, EmuPrimitive made[3]);

typedef struct EmuQuad {
  uint16_t x, y;    /* even */
  uint16_t mask[4]; /* by lane: bit s is sample s; a lane without bits is a helper */
} EmuQuad;

/* Receives the quads of a primitive, some at a time. False: stop. */
typedef bool EmuQuadSink(void *user, const EmuPrimitive *primitive, const EmuQuad *quads,
                         uint32_t count);

/* Finds the quads in which the primitive covers at least one sample inside scissor and framebuffer.
 * The order: bands of 8 rows from top to bottom, in a band tiles of 8x8 pixels from left to right,
 * in a tile the 16 quads in Morton order. False: the sink returned false. */
bool emu_primitive_quads(const EmuRaster *raster, const EmuPrimitive *primitive, EmuQuadSink *sink,
                         void *user);

/* The position of a sample in its pixel, in units of 1/16: 0 to 15. */
typedef struct EmuSpot {
  uint8_t x, y;
} EmuSpot;

/* The standard positions of `samples` samples; NULL: not 1, 2, 4, 8 or 16. */
const EmuSpot *emu_sample_spots(uint32_t samples);

#endif
