/* SPDX-License-Identifier: Apache-2.0 */
/* interpolate: inputs of fragment shaders at points of the framebuffer.
 *
 * Use: compute the points (emu_quad_points), then the barycentric coordinates of all points of one
 * primitive (emu_barycentric), and from these any number of inputs (emu_interpolate). Arrays are by
 * lane, four to a quad. Lanes outside of the primitive extrapolate. Reference: Vulkan,
 * "Interpolation Decorations", "Polygon Rasterization". */
#ifndef EMU_INTERPOLATE_H
#define EMU_INTERPOLATE_H

#include "spv-emu/raster/raster.h"

typedef enum EmuInterpolationPoint {
  EMU_AT_CENTER,
  EMU_AT_CENTROID, /* the centre if all samples are covered or none, else the first covered
                    * sample */
  EMU_AT_SAMPLE,
} EmuInterpolationPoint;

/* The points of the lanes in pixels: FragCoord.xy. `sample`: for EMU_AT_SAMPLE. */
void emu_quad_points(const EmuQuad *quads, uint32_t count, EmuInterpolationPoint place,
                     uint32_t samples, uint32_t sample, float *x, float *y);

/* Computes the weights b1 and b2 of corners 1 and 2; the weight of corner 0 is 1 - b1 - b2.
 * `perspective`: for inputs without NoPerspective. */
void emu_barycentric(const EmuPrimitive *primitive, bool perspective, uint32_t lanes,
                     const float *x, const float *y, float *b1, float *b2);

/* Computes planes whose values at a point are v[0 … 2]; the weights there are b1 = v[0] / v[2] and
 * b2 = v[1] / v[2]. Their origin is the primitive's. */
void emu_weight_planes(const EmuPrimitive *primitive, bool perspective, EmuPlane planes[3]);

/* Computes an input from its values at the three corners: f0 + b1 * (f1 - f0) + b2 * (f2 - f0), so
 * that three equal values give exactly that value. `result` may be b1 or b2. */
void emu_interpolate(uint32_t lanes, const float *b1, const float *b2, float f0, float f1, float f2,
                     float *result);

/* FragCoord.z (biased, not clamped) and FragCoord.w (1/w). */
void emu_depth_at(const EmuPrimitive *primitive, uint32_t lanes, const float *x, const float *y,
                  float *z);
void emu_rcp_w_at(const EmuPrimitive *primitive, uint32_t lanes, const float *x, const float *y,
                  float *rcp_w);
/* PointCoord; 0 unless the primitive is a point. */
void emu_point_coord_at(const EmuPrimitive *primitive, uint32_t lanes, const float *x,
                        const float *y, float *s, float *t);

#endif
