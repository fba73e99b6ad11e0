/* SPDX-License-Identifier: Apache-2.0 */
/* interpolate: see interpolate.h. Planes are evaluated in double precision, so that thin and far
 * primitives keep their weights; inputs are single. */
#include "spv-emu/raster/interpolate.h"

#include "spv-emu/raster/setup.h"

#include <string.h>

/* ---- points ---------------------------------------------------------------------------------- */

/* The sample at which a lane is evaluated; EMU_MAX_SAMPLES: the pixel's centre. */
static uint32_t spot_of(EmuInterpolationPoint place, uint32_t samples, uint32_t sample,
                        uint32_t mask) {
  if (place == EMU_AT_SAMPLE)
    return sample;
  if (place == EMU_AT_CENTER || mask == 0 || mask == (1u << samples) - 1)
    return EMU_MAX_SAMPLES;
  return (uint32_t)__builtin_ctz(mask);
}

void emu_quad_points(const EmuQuad *quads, uint32_t count, EmuInterpolationPoint place,
                     uint32_t samples, uint32_t sample, float *x, float *y) {
  const EmuSpot *spots = emu_sample_spots(samples);
  for (uint32_t i = 0; i < 4 * count; i++) {
    const EmuQuad *quad = &quads[i / 4];
    uint32_t lane = i % 4, n = spot_of(place, samples, sample, quad->mask[lane]);
    EmuSpot spot = n < EMU_MAX_SAMPLES ? spots[n] : (EmuSpot){8, 8};
    x[i] = (float)(quad->x + (lane & 1)) + (float)spot.x / 16;
    y[i] = (float)(quad->y + (lane >> 1)) + (float)spot.y / 16;
  }
}

/* ---- weights --------------------------------------------------------------------------------- */

static void linear(const EmuPrimitive *p, uint32_t lanes, const float *x, const float *y, float *b1,
                   float *b2) {
  EmuPlane first = emu_plane_times(p->e[1], p->w[1]);
  EmuPlane second = emu_plane_times(p->e[2], p->w[2]);
  for (uint32_t i = 0; i < lanes; i++) {
    double dx = (double)x[i] - p->x0, dy = (double)y[i] - p->y0;
    b1[i] = (float)emu_plane_at(&first, dx, dy);
    b2[i] = (float)emu_plane_at(&second, dx, dy);
  }
}

static EmuPlane rcp_w_plane(const EmuPrimitive *p) {
  return emu_plane_mix(1, emu_plane_mix(1, p->e[0], 1, p->e[1]), 1, p->e[2]);
}

void emu_barycentric(const EmuPrimitive *p, bool perspective, uint32_t lanes, const float *x,
                     const float *y, float *b1, float *b2) {
  if (!perspective || (p->w[0] == p->w[1] && p->w[0] == p->w[2])) {
    linear(p, lanes, x, y, b1, b2);
    return;
  }
  EmuPlane sum = rcp_w_plane(p);
  for (uint32_t i = 0; i < lanes; i++) {
    double dx = (double)x[i] - p->x0, dy = (double)y[i] - p->y0;
    double w = 1 / emu_plane_at(&sum, dx, dy);
    b1[i] = (float)(emu_plane_at(&p->e[1], dx, dy) * w);
    b2[i] = (float)(emu_plane_at(&p->e[2], dx, dy) * w);
  }
}

void emu_weight_planes(const EmuPrimitive *p, bool perspective, EmuPlane planes[3]) {
  for (uint32_t i = 0; i < 2; i++)
    planes[i] = perspective ? p->e[i + 1] : emu_plane_times(p->e[i + 1], p->w[i + 1]);
  planes[2] = perspective ? rcp_w_plane(p) : (EmuPlane){1, 0, 0};
}

void emu_interpolate(uint32_t lanes, const float *b1, const float *b2, float f0, float f1, float f2,
                     float *result) {
  float d1 = f1 - f0, d2 = f2 - f0;
  for (uint32_t i = 0; i < lanes; i++)
    result[i] = f0 + b1[i] * d1 + b2[i] * d2;
}

/* ---- what the rasterizer knows itself -------------------------------------------------------- */

static void plane_at_all(const EmuPrimitive *p, EmuPlane plane, uint32_t lanes, const float *x,
                         const float *y, float *result) {
  for (uint32_t i = 0; i < lanes; i++)
    result[i] = (float)emu_plane_at(&plane, (double)x[i] - p->x0, (double)y[i] - p->y0);
}

void emu_depth_at(const EmuPrimitive *p, uint32_t lanes, const float *x, const float *y, float *z) {
  plane_at_all(p, p->z, lanes, x, y, z);
}

void emu_rcp_w_at(const EmuPrimitive *p, uint32_t lanes, const float *x, const float *y,
                  float *rcp_w) {
  plane_at_all(p, rcp_w_plane(p), lanes, x, y, rcp_w);
}

void emu_point_coord_at(const EmuPrimitive *p, uint32_t lanes, const float *x, const float *y,
                        float *s, float *t) {
  plane_at_all(p, p->coord[0], lanes, x, y, s);
  plane_at_all(p, p->coord[1], lanes, x, y, t);
}
