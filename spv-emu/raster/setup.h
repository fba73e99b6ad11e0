/* SPDX-License-Identifier: Apache-2.0 */
/* setup: shared by the setup*.c files. */
#ifndef EMU_SETUP_H
#define EMU_SETUP_H

#include "spv-emu/raster/clip.h"

/* A primitive between its vertices and the framebuffer. */
typedef struct EmuSetup {
  const EmuRaster *raster;
  const EmuVertices *vertices;
  uint32_t vertex[3]; /* in `vertices` */
  EmuPosition at[3];
  double bias; /* added to its depth */
  bool front;
  uint32_t id;
} EmuSetup;

static inline double emu_plane_at(const EmuPlane *plane, double x, double y) {
  return plane->c + x * plane->dx + y * plane->dy;
}
static inline EmuPlane emu_plane_times(EmuPlane plane, double a) {
  return (EmuPlane){a * plane.c, a * plane.dx, a * plane.dy};
}
/* a * first + b * second. */
static inline EmuPlane emu_plane_mix(double a, EmuPlane first, double b, EmuPlane second) {
  return (EmuPlane){a * first.c + b * second.c, a * first.dx + b * second.dx,
                    a * first.dy + b * second.dy};
}

/* Sets the polygon of a triangle, and the planes e and w. Returns twice the area, positive if the
 * corners are clockwise as seen; 0: there is nothing to cover. */
int64_t emu_setup_triangle(const EmuSetup *setup, EmuPrimitive *made);
/* The same for a line from corner `a` to corner `b`, and for a point at corner `a`. False: there is
 * nothing to cover. */
bool emu_setup_line(const EmuSetup *setup, uint32_t a, uint32_t b, EmuPrimitive *made);
bool emu_setup_point(const EmuSetup *setup, uint32_t a, EmuPrimitive *made);

#endif
