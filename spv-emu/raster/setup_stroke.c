/* SPDX-License-Identifier: Apache-2.0 */
/* setup_stroke: lines are rectangles along the line, as wide as the line (Vulkan's "strict" lines);
 * points are squares around the vertex. */
#include "spv-emu/raster/setup.h"

#include <math.h>

static void put_corner(const EmuSetup *setup, double x, double y, EmuPrimitive *made) {
  made->x[made->corners] = emu_to_grid(setup->raster, x);
  made->y[made->corners++] = emu_to_grid(setup->raster, y);
}

static void set_planes(const EmuSetup *setup, EmuPrimitive *made) {
  for (uint32_t i = 0; i < 3; i++) {
    made->w[i] = setup->at[i].w;
    made->e[i] = (EmuPlane){0, 0, 0};
  }
}

static double clamp_size(double size) {
  return fmin(fmax(size, 1), EMU_MAX_POINT_SIZE);
}

/* ---- lines ----------------------------------------------------------------------------------- */

/* One end of what clipping leaves of a line. */
typedef struct End {
  double x, y, w;
  double weights[2]; /* weights of the line's corners */
} End;

static End end_of(const EmuSetup *setup, const EmuPosition line[2], double along) {
  const EmuPosition *a = &line[0], *b = &line[1];
  End end = {.w = a->w + along * (b->w - a->w), .weights = {1 - along, along}};
  end.x = (a->x + along * (b->x - a->x)) / end.w;
  end.y = (a->y + along * (b->y - a->y)) / end.w;
  const EmuPosition *corner = along == 0 ? a : b;
  if (along == 0 || along == 1) {
    end.x = ldexp(corner->grid_x, -(int)setup->raster->subpixel_bits);
    end.y = ldexp(corner->grid_y, -(int)setup->raster->subpixel_bits);
  }
  return end;
}

static bool put_rectangle(const EmuSetup *setup, const End ends[2], EmuPrimitive *made) {
  double dx = ends[1].x - ends[0].x, dy = ends[1].y - ends[0].y, length = hypot(dx, dy);
  double half = clamp_size((double)setup->raster->line_width) / 2;
  if (!(length > 0))
    return false;
  double nx = -dy / length * half, ny = dx / length * half;
  made->corners = 0;
  put_corner(setup, ends[0].x - nx, ends[0].y - ny, made);
  put_corner(setup, ends[1].x - nx, ends[1].y - ny, made);
  put_corner(setup, ends[1].x + nx, ends[1].y + ny, made);
  put_corner(setup, ends[0].x + nx, ends[0].y + ny, made);
  return true;
}

bool emu_setup_line(const EmuSetup *setup, uint32_t a, uint32_t b, EmuPrimitive *made) {
  const EmuPosition line[2] = {setup->at[a], setup->at[b]};
  double part[2];
  if (!emu_clip_line(line, part))
    return false;
  End ends[2] = {end_of(setup, line, part[0]), end_of(setup, line, part[1])};
  if (!put_rectangle(setup, ends, made))
    return false;
  set_planes(setup, made);
  made->x0 = ends[0].x;
  made->y0 = ends[0].y;
  double dx = ends[1].x - ends[0].x, dy = ends[1].y - ends[0].y, square = dx * dx + dy * dy;
  EmuPlane along = {0, dx / square, dy / square}, rest = {1, -along.dx, -along.dy};
  const uint32_t corner[2] = {a, b};
  for (uint32_t i = 0; i < 2; i++)
    made->e[corner[i]] =
        emu_plane_mix(ends[0].weights[i] / ends[0].w, rest, ends[1].weights[i] / ends[1].w, along);
  return true;
}

/* ---- points ---------------------------------------------------------------------------------- */

/* The centre decides, as with lavapipe's VK_POINT_CLIPPING_BEHAVIOR_ALL_CLIP_PLANES. */
static bool point_is_clipped(const EmuSetup *setup, uint32_t a) {
  const float *p = setup->vertices->positions[setup->vertex[a]];
  return !setup->at[a].inside || fabsf(p[0]) > p[3] || fabsf(p[1]) > p[3];
}

static double point_size(const EmuSetup *setup, uint32_t a) {
  const float *sizes = setup->vertices->point_sizes;
  return clamp_size(sizes ? (double)sizes[setup->vertex[a]] : 1);
}

bool emu_setup_point(const EmuSetup *setup, uint32_t a, EmuPrimitive *made) {
  if (point_is_clipped(setup, a))
    return false;
  double half = point_size(setup, a) / 2;
  double x = ldexp(setup->at[a].grid_x, -(int)setup->raster->subpixel_bits);
  double y = ldexp(setup->at[a].grid_y, -(int)setup->raster->subpixel_bits);
  made->corners = 0;
  put_corner(setup, x - half, y - half, made);
  put_corner(setup, x + half, y - half, made);
  put_corner(setup, x + half, y + half, made);
  put_corner(setup, x - half, y + half, made);
  set_planes(setup, made);
  made->x0 = x;
  made->y0 = y;
  made->e[a].c = 1 / made->w[a];
  made->coord[0] = (EmuPlane){0.5, 0.5 / half, 0};
  made->coord[1] = (EmuPlane){0.5, 0, 0.5 / half};
  return true;
}
