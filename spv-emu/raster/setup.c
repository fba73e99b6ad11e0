/* SPDX-License-Identifier: Apache-2.0 */
/* setup: see raster.h. What all primitives have in common: facing, culling, depth, and the planes
 * at which samples are clipped. */
#include "spv-emu/raster/setup.h"

#include <assert.h>
#include <float.h>
#include <math.h>
#include <string.h>

enum { CULL_FRONT = 1, CULL_BACK = 2, CLOCKWISE = 1, FILL = 0, OUTLINE = 1 };

/* ---- clip and cull distances ----------------------------------------------------------------- */

static double distance_of(const EmuSetup *setup, uint32_t corner, uint32_t n) {
  const EmuVertices *v = setup->vertices;
  return (double)v->distances[(size_t)setup->vertex[corner] * (v->clip_count + v->cull_count) + n];
}

/* The number of corners on the outer side of distance n; NaN is outside. */
static uint32_t corners_outside(const EmuSetup *setup, EmuShape shape, uint32_t n) {
  uint32_t outside = 0;
  for (uint32_t i = 0; i < (uint32_t)shape; i++)
    outside += !(distance_of(setup, i, n) >= 0);
  return outside;
}

/* A clip distance with all corners on its outer side would leave nothing to cover, so it culls,
 * too. */
static bool is_culled_by_distance(const EmuSetup *setup, EmuShape shape) {
  const EmuVertices *v = setup->vertices;
  for (uint32_t n = 0; n < v->clip_count + v->cull_count; n++)
    if (corners_outside(setup, shape, n) == (uint32_t)shape)
      return true;
  return false;
}

/* The plane, in the framebuffer, of a value divided by w; f0, f1 and f2 are the value at the
 * corners, in clip space. */
static EmuPlane plane_of(const EmuPrimitive *made, double f0, double f1, double f2) {
  EmuPlane first = emu_plane_mix(f0, made->e[0], f1, made->e[1]);
  return emu_plane_mix(1, first, f2, made->e[2]);
}

static void add_clip(EmuPrimitive *made, EmuShape shape, double f0, double f1, double f2) {
  bool outside =
      !(f0 >= 0) || (shape > EMU_POINT && !(f1 >= 0)) || (shape > EMU_LINE && !(f2 >= 0));
  if (outside)
    made->clip[made->clips++] = plane_of(made, f0, f1, f2);
}

/* Lines end where they leave the view volume. Triangles are limited to the viewport (coverage.c),
 * and for points only the centre counts. */
static void add_side_clips(const EmuSetup *setup, EmuShape shape, EmuPrimitive *made) {
  double f[3];
  for (uint32_t side = 0; side < 4; side++) {
    for (uint32_t i = 0; i < 3; i++) {
      const float *p = setup->vertices->positions[setup->vertex[i]];
      f[i] = (double)p[3] + (side % 2 ? (double)p[side / 2] : -(double)p[side / 2]);
    }
    add_clip(made, shape, f[0], f[1], f[2]);
  }
}

static void add_clips(const EmuSetup *setup, EmuShape shape, EmuPrimitive *made) {
  const EmuPosition *at = setup->at;
  made->clips = 0;
  if (!setup->raster->depth.clamp) {
    add_clip(made, shape, at[0].z, at[1].z, at[2].z);
    add_clip(made, shape, at[0].w - at[0].z, at[1].w - at[1].z, at[2].w - at[2].z);
  }
  if (made->shape == EMU_LINE)
    add_side_clips(setup, shape, made);
  for (uint32_t n = 0; n < setup->vertices->clip_count; n++)
    add_clip(made, shape, distance_of(setup, 0, n), distance_of(setup, 1, n),
             distance_of(setup, 2, n));
}

/* Are all corners before the near plane, or all past the far plane? */
static bool is_outside(const EmuSetup *setup, EmuShape shape) {
  uint32_t near = 0, far = 0;
  for (uint32_t i = 0; i < (uint32_t)shape; i++) {
    near += setup->at[i].z < 0;
    far += setup->at[i].z > setup->at[i].w;
  }
  return !setup->raster->depth.clamp && (near == (uint32_t)shape || far == (uint32_t)shape);
}

/* ---- depth ----------------------------------------------------------------------------------- */

/* The plane of z/w, computed by differences, so that corners of one depth give exactly this depth
 * everywhere. */
static EmuPlane ndc_depth(const EmuSetup *setup, const EmuPrimitive *made) {
  const EmuPosition *at = setup->at;
  if (!at[0].inside)
    return plane_of(made, at[0].z, at[1].z, at[2].z);
  double first = at[0].z / at[0].w;
  EmuPlane plane = plane_of(made, 0, at[1].z - first * at[1].w, at[2].z - first * at[2].w);
  plane.c += first;
  return plane;
}

static EmuPlane depth_plane(const EmuSetup *setup, const EmuPrimitive *made) {
  const EmuViewport *view = &setup->raster->viewport;
  EmuPlane depth = ndc_depth(setup, made);
  depth = emu_plane_times(depth, (double)view->max_depth - (double)view->min_depth);
  depth.c += (double)view->min_depth + setup->bias;
  return depth;
}

/* The greatest depth, by its absolute value, that the triangle has in the framebuffer. Parts that
 * depth clipping removes, and corners on the other side of the eye, do not count. */
static double greatest_depth(const EmuSetup *setup) {
  const EmuViewport *view = &setup->raster->viewport;
  double near = (double)view->min_depth, range = (double)view->max_depth - near;
  double most = 0, farthest = fmax(fabs(near), fabs(near + range));
  for (uint32_t i = 0; i < 3; i++) {
    const EmuPosition *at = &setup->at[i];
    most = fmax(most, at->inside ? fabs(near + range * (at->z / at->w)) : 0);
  }
  return setup->raster->depth.clamp ? most : fmin(most, farthest);
}

/* The least difference of depths that the format can tell apart: r in Vulkan, "Depth Bias
 * Computation". */
static double depth_unit(const EmuSetup *setup) {
  const EmuFormat *format = setup->raster->depth_format;
  const EmuField *field = format ? emu_format_field(format, 'D') : NULL;
  if (!field || field->kind != EMU_FORMAT_FLOAT)
    return ldexp(1, -(field ? field->bits : 24));
  return ldexp(1, ilogb(fmax(greatest_depth(setup), FLT_MIN)) - (FLT_MANT_DIG - 1));
}

/* The bias of the whole triangle, whichever part of it the polygon mode draws. `made` has its
 * planes, but no bias yet. */
static double depth_bias(const EmuSetup *setup, const EmuPrimitive *made) {
  const EmuDepthState *depth = &setup->raster->depth;
  if (!depth->bias)
    return 0;
  EmuPlane plane = depth_plane(setup, made);
  double slope = fmax(fabs(plane.dx), fabs(plane.dy)), clamp = (double)depth->bias_clamp;
  double bias =
      slope * (double)depth->bias_slope + depth_unit(setup) * (double)depth->bias_constant;
  return clamp > 0 ? fmin(bias, clamp) : clamp < 0 ? fmax(bias, clamp) : bias;
}

/* ---- primitives ------------------------------------------------------------------------------ */

static void finish(const EmuSetup *setup, EmuShape of, EmuShape shape, EmuPrimitive *made) {
  memcpy(made->vertex, setup->vertex, sizeof made->vertex);
  made->id = setup->id;
  made->shape = shape;
  made->front = setup->front;
  if (shape != EMU_POINT)
    made->coord[0] = made->coord[1] = (EmuPlane){0, 0, 0};
  made->z = depth_plane(setup, made);
  add_clips(setup, of, made);
}

/* The triangle's edges, or its corners. */
static uint32_t put_outline(const EmuSetup *setup, EmuPrimitive made[3]) {
  bool edges = setup->raster->polygon_mode == OUTLINE;
  uint32_t count = 0;
  for (uint32_t i = 0; i < 3; i++)
    if (edges ? emu_setup_line(setup, i, (i + 1) % 3, &made[count])
              : emu_setup_point(setup, i, &made[count]))
      finish(setup, EMU_TRIANGLE, edges ? EMU_LINE : EMU_POINT, &made[count++]);
  return count;
}

static uint32_t put_triangle(EmuSetup *setup, EmuPrimitive made[3]) {
  const EmuRaster *raster = setup->raster;
  int64_t area = emu_setup_triangle(setup, &made[0]);
  setup->front = raster->front_face == CLOCKWISE ? area > 0 : area < 0;
  if (area == 0 || (raster->cull_mode & (setup->front ? CULL_FRONT : CULL_BACK)))
    return 0;
  setup->bias = depth_bias(setup, &made[0]);
  if (raster->polygon_mode != FILL)
    return put_outline(setup, made);
  finish(setup, EMU_TRIANGLE, EMU_TRIANGLE, &made[0]);
  return 1;
}

uint32_t emu_primitive_setup(const EmuRaster *raster, const EmuVertices *vertices, EmuShape shape,
                             const uint32_t *corner, uint32_t id, EmuPrimitive made[3]) {
  EmuSetup setup = {.raster = raster, .vertices = vertices, .front = true, .id = id};
  assert(vertices->clip_count + vertices->cull_count <= EMU_MAX_DISTANCES);
  for (uint32_t i = 0; i < 3; i++) {
    setup.vertex[i] = corner[i < (uint32_t)shape ? i : (uint32_t)shape - 1];
    if (!emu_position_of(raster, vertices->positions[setup.vertex[i]], &setup.at[i]))
      return 0;
  }
  if (is_outside(&setup, shape) || is_culled_by_distance(&setup, shape))
    return 0;
  if (shape == EMU_TRIANGLE)
    return put_triangle(&setup, made);
  if (!(shape == EMU_LINE ? emu_setup_line(&setup, 0, 1, &made[0])
                          : emu_setup_point(&setup, 0, &made[0])))
    return 0;
  finish(&setup, shape, shape, &made[0]);
  return 1;
}
