/* SPDX-License-Identifier: Apache-2.0 */
/* setup_polygon: the polygon and the planes of a triangle.
 *
 * With all corners on the grid, planes go through the rounded positions: a covered sample has
 * weights between 0 and 1, however thin the triangle is. A clipped triangle has the planes of the
 * whole one, by the inverse of the matrix of its homogeneous corners: Olano and Greer, "Triangle
 * scan conversion using 2D homogeneous coordinates", 1997. */
#include "spv-emu/raster/setup.h"

#include <math.h>

static int64_t twice_area(const EmuPrimitive *made) {
  int64_t sum = 0;
  for (uint32_t i = 1; i + 1 < made->corners; i++) {
    int64_t ax = made->x[i] - (int64_t)made->x[0], ay = made->y[i] - (int64_t)made->y[0];
    int64_t bx = made->x[i + 1] - (int64_t)made->x[0], by = made->y[i + 1] - (int64_t)made->y[0];
    sum += ax * by - bx * ay;
  }
  return sum;
}

static void set_origin(const EmuSetup *setup, EmuPrimitive *made) {
  made->x0 = ldexp(made->x[0], -(int)setup->raster->subpixel_bits);
  made->y0 = ldexp(made->y[0], -(int)setup->raster->subpixel_bits);
}

/* The corners' weights in the framebuffer, each divided by its w. */
static void grid_planes(const EmuSetup *setup, int64_t area, EmuPrimitive *made) {
  double unit = ldexp(1, (int)setup->raster->subpixel_bits), scale = unit / (double)area;
  double x1 = made->x[1] - (double)made->x[0], y1 = made->y[1] - (double)made->y[0];
  double x2 = made->x[2] - (double)made->x[0], y2 = made->y[2] - (double)made->y[0];
  EmuPlane first = {0, y2 * scale, -x2 * scale}, second = {0, -y1 * scale, x1 * scale};
  EmuPlane rest = {1, -first.dx - second.dx, -first.dy - second.dy};
  made->e[0] = emu_plane_times(rest, 1 / made->w[0]);
  made->e[1] = emu_plane_times(first, 1 / made->w[1]);
  made->e[2] = emu_plane_times(second, 1 / made->w[2]);
}

/* Computes the planes of a clipped triangle. False: the corners lie on a line through the eye. */
static bool homogeneous_planes(const EmuSetup *setup, EmuPrimitive *made) {
  double x[3], y[3], w[3];
  for (uint32_t i = 0; i < 3; i++) {
    w[i] = setup->at[i].w;
    x[i] = setup->at[i].x - made->x0 * w[i];
    y[i] = setup->at[i].y - made->y0 * w[i];
  }
  double det = 0;
  for (uint32_t i = 0, j = 1, k = 2; i < 3; i++, j = (j + 1) % 3, k = (k + 1) % 3) {
    made->e[i] = (EmuPlane){.c = x[j] * y[k] - x[k] * y[j],
                            .dx = y[j] * w[k] - y[k] * w[j],
                            .dy = x[k] * w[j] - x[j] * w[k]};
    det += w[i] * made->e[i].c;
  }
  for (uint32_t i = 0; i < 3; i++)
    made->e[i] = emu_plane_times(made->e[i], 1 / det);
  return isfinite(1 / det) && isfinite(made->e[0].c + made->e[1].c + made->e[2].c);
}

int64_t emu_setup_triangle(const EmuSetup *setup, EmuPrimitive *made) {
  const EmuPosition *at = setup->at;
  bool whole = at[0].inside && at[1].inside && at[2].inside;
  made->corners = 3;
  for (uint32_t i = 0; i < 3; i++) {
    made->w[i] = at[i].w;
    made->x[i] = at[i].grid_x;
    made->y[i] = at[i].grid_y;
  }
  if (!whole)
    made->corners = (uint8_t)emu_clip_triangle(setup->raster, at, made->x, made->y);
  int64_t area = twice_area(made);
  set_origin(setup, made);
  if (area && whole)
    grid_planes(setup, area, made);
  return area && !whole && !homogeneous_planes(setup, made) ? 0 : area;
}
