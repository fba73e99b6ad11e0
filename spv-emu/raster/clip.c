/* SPDX-License-Identifier: Apache-2.0 */
/* clip: see clip.h. Sutherland and Hodgman, "Reentrant polygon clipping", 1974. */
#include "spv-emu/raster/clip.h"

#include <math.h>

#define LEAST_W 0x1p-100 /* the guard band alone would not exclude the eye itself, w = 0 */

/* ---- positions ------------------------------------------------------------------------------- */

int32_t emu_to_grid(const EmuRaster *raster, double pixels) {
  /* A primitive that touches the guard band may be a little outside of it. */
  const double most = EMU_GUARD_BAND + EMU_MAX_POINT_SIZE;
  double near = fmin(fmax(pixels, -most), most);
  return (int32_t)nearbyint(ldexp(near, (int)raster->subpixel_bits));
}

/* Computes in single precision, as drivers do, unless that overflows. */
static int32_t grid_of(const EmuRaster *raster, float clip, float w, float scale, float center,
                       double exact) {
  float pixels = clip * (1 / w) * scale + center;
  bool usable = fabsf(pixels) <= (float)EMU_GUARD_BAND;
  return emu_to_grid(raster, usable ? (double)pixels : exact);
}

bool emu_position_of(const EmuRaster *raster, const float clip[4], EmuPosition *p) {
  const EmuViewport *view = &raster->viewport;
  float scale_x = view->width / 2, scale_y = view->height / 2;
  float center_x = view->x + scale_x, center_y = view->y + scale_y;
  if (!isfinite(clip[0]) || !isfinite(clip[1]) || !isfinite(clip[2]) || !isfinite(clip[3]))
    return false;
  p->x = (double)clip[0] * (double)scale_x + (double)clip[3] * (double)center_x;
  p->y = (double)clip[1] * (double)scale_y + (double)clip[3] * (double)center_y;
  p->z = raster->negative_one_to_one ? ((double)clip[2] + (double)clip[3]) / 2 : (double)clip[2];
  p->w = (double)clip[3];
  double limit = EMU_GUARD_BAND * p->w;
  p->inside = p->w >= LEAST_W && fabs(p->x) <= limit && fabs(p->y) <= limit;
  if (p->inside) {
    p->grid_x = grid_of(raster, clip[0], clip[3], scale_x, center_x, p->x / p->w);
    p->grid_y = grid_of(raster, clip[1], clip[3], scale_y, center_y, p->y / p->w);
  }
  return true;
}

/* ---- planes ---------------------------------------------------------------------------------- */

enum { PLANES = 5 };

/* The distance inside of a plane; negative: outside. */
static double distance(const EmuPosition *p, uint32_t plane) {
  switch (plane) {
  case 0:
    return p->w - LEAST_W;
  case 1:
    return EMU_GUARD_BAND * p->w + p->x;
  case 2:
    return EMU_GUARD_BAND * p->w - p->x;
  case 3:
    return EMU_GUARD_BAND * p->w + p->y;
  default:
    return EMU_GUARD_BAND * p->w - p->y;
  }
}

/* Where the edge from a vertex inside to one outside meets the plane. */
static EmuPosition meet(const EmuPosition *in, const EmuPosition *out, double in_by,
                        double out_by) {
  double t = in_by / (in_by - out_by);
  return (EmuPosition){.x = in->x + t * (out->x - in->x),
                       .y = in->y + t * (out->y - in->y),
                       .w = in->w + t * (out->w - in->w)};
}

static uint32_t clip_plane(uint32_t plane, const EmuPosition *from, uint32_t count,
                           EmuPosition *to) {
  uint32_t made = 0;
  for (uint32_t i = 0; i < count; i++) {
    const EmuPosition *a = &from[i], *b = &from[(i + 1) % count];
    double a_by = distance(a, plane), b_by = distance(b, plane);
    if (a_by >= 0)
      to[made++] = *a;
    if (a_by >= 0 && b_by < 0)
      to[made++] = meet(a, b, a_by, b_by);
    else if (a_by < 0 && b_by >= 0)
      to[made++] = meet(b, a, b_by, a_by);
  }
  return made;
}

uint32_t emu_clip_triangle(const EmuRaster *raster, const EmuPosition corner[3],
                           int32_t x[EMU_MAX_CORNERS], int32_t y[EMU_MAX_CORNERS]) {
  EmuPosition polygons[2][EMU_MAX_CORNERS] = {{corner[0], corner[1], corner[2]}};
  uint32_t count = 3;
  for (uint32_t plane = 0; plane < PLANES; plane++)
    count = clip_plane(plane, polygons[plane % 2], count, polygons[(plane + 1) % 2]);
  for (uint32_t i = 0; i < count; i++) {
    const EmuPosition *p = &polygons[PLANES % 2][i];
    x[i] = p->inside ? p->grid_x : emu_to_grid(raster, p->x / p->w);
    y[i] = p->inside ? p->grid_y : emu_to_grid(raster, p->y / p->w);
  }
  return count;
}

bool emu_clip_line(const EmuPosition ends[2], double part[2]) {
  part[0] = 0;
  part[1] = 1;
  for (uint32_t plane = 0; plane < PLANES; plane++) {
    double a = distance(&ends[0], plane), b = distance(&ends[1], plane);
    if (a < 0 && b < 0)
      return false;
    if (a < 0)
      part[0] = fmax(part[0], a / (a - b));
    else if (b < 0)
      part[1] = fmin(part[1], a / (a - b));
  }
  return part[0] < part[1];
}
