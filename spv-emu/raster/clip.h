/* SPDX-License-Identifier: Apache-2.0 */
/* clip: converts clip coordinates to framebuffer coordinates.
 *
 * A vertex that is in front of the eye and inside the guard band has a position in the framebuffer,
 * rounded to the sub-pixel grid. Primitives with any other vertex are clipped to the guard band, in
 * homogeneous framebuffer coordinates: x and y are those of the framebuffer times w. The new
 * vertices of an edge do not depend on its direction, so that neighbours still share the edge. The
 * sides, near and far plane of the view volume, and clip distances make no edges: they are tested
 * for each sample (coverage.c). */
#ifndef EMU_CLIP_H
#define EMU_CLIP_H

#include "spv-emu/raster/raster.h"

#define EMU_GUARD_BAND 1048576.0 /* pixels from the framebuffer's origin */

typedef struct EmuPosition {
  double x, y, w; /* framebuffer coordinates times w */
  double z;       /* in clip space */
  bool inside;    /* inside the guard band and in front of the eye: it has a position on the grid */
  int32_t grid_x, grid_y; /* in sub-pixels, if inside */
} EmuPosition;

/* Rounds a coordinate to the grid, clamped to the guard band plus a point's size; NaN becomes any
 * place there. */
int32_t emu_to_grid(const EmuRaster *raster, double pixels);
/* Computes the position of a vertex. False: it is not finite. */
bool emu_position_of(const EmuRaster *raster, const float clip[4], EmuPosition *position);

/* Computes the part of a triangle inside the guard band. Returns its number of corners; 0: nothing
 * is inside. */
uint32_t emu_clip_triangle(const EmuRaster *raster, const EmuPosition corner[3],
                           int32_t x[EMU_MAX_CORNERS], int32_t y[EMU_MAX_CORNERS]);
/* Computes the part of a line inside the guard band, as fractions of the distance between its ends:
 * from part[0] to part[1]. False: the line is outside. */
bool emu_clip_line(const EmuPosition ends[2], double part[2]);

#endif
