/* SPDX-License-Identifier: Apache-2.0 */
/* raster_bed: a small framebuffer for tests of the rasterizer: vertices at pixels, how often each
 * sample is covered, and a check of the quads' order. */
#ifndef RASTER_BED_H
#define RASTER_BED_H

#include "spv-emu/raster/interpolate.h"
#include "tests/unit/unit.h"

enum { BED_SIDE = 64, BED_VERTICES = 1024 };

typedef struct RasterBed {
  EmuRaster raster; /* BED_SIDE x BED_SIDE */
  EmuVertices vertices;
  float positions[BED_VERTICES][4];
  float point_sizes[BED_VERTICES];
  float distances[BED_VERTICES][EMU_MAX_DISTANCES];
  uint32_t count; /* of vertices */
  /* Of all primitives drawn. */
  uint32_t covered[BED_SIDE][BED_SIDE][EMU_MAX_SAMPLES];
  uint32_t quads, helpers;
  EmuPrimitive last; /* that was drawn */
} RasterBed;

RasterBed bed_make(uint32_t samples, uint32_t subpixel_bits);
/* Adds a vertex at a point of the framebuffer, in pixels, with w as given; returns its number. */
uint32_t bed_vertex(RasterBed *bed, double x, double y, double z, double w);
/* Draws the vertices `first`, `first` + 1, …; returns the number of primitives in the framebuffer.
 * Asserts that quads are inside, in order, once each, and not empty. */
uint32_t bed_draw(RasterBed *bed, EmuShape shape, uint32_t first);
void bed_triangle(RasterBed *bed, uint32_t a, uint32_t b, uint32_t c);
void bed_clear(RasterBed *bed); /* coverage and vertices */

#endif
