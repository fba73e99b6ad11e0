/* SPDX-License-Identifier: Apache-2.0 */
/* raster_bed: see raster_bed.h. */
#include "tests/emu/raster/raster_bed.h"

#include <string.h>

RasterBed bed_make(uint32_t samples, uint32_t subpixel_bits) {
  return (RasterBed){.raster = {.width = BED_SIDE,
                                .height = BED_SIDE,
                                .samples = samples,
                                .subpixel_bits = subpixel_bits,
                                .viewport = {0, 0, BED_SIDE, BED_SIDE, 0, 1},
                                .scissor = {0, 0, BED_SIDE, BED_SIDE},
                                .line_width = 1}};
}

uint32_t bed_vertex(RasterBed *bed, double x, double y, double z, double w) {
  float *p = bed->positions[bed->count];
  const double half = BED_SIDE / 2.0;
  p[0] = (float)((x - half) / half * w);
  p[1] = (float)((y - half) / half * w);
  p[2] = (float)(z * w);
  p[3] = (float)w;
  assert_true(bed->count < BED_VERTICES);
  return bed->count++;
}

void bed_clear(RasterBed *bed) {
  bed->count = bed->quads = bed->helpers = 0;
  memset(bed->covered, 0, sizeof bed->covered);
}

/* The position of a quad in the order that raster.h promises. */
static uint64_t order_of(const EmuQuad *q) {
  uint64_t tile = (uint64_t)(q->y / 8) << 32 | (uint64_t)(q->x / 8) << 4;
  uint32_t x = q->x / 2 % 4, y = q->y / 2 % 4;
  return tile | (x & 1) | (y & 1) << 1 | (x >> 1) << 2 | (y >> 1) << 3;
}

typedef struct Watch {
  RasterBed *bed;
  uint64_t next; /* the least order that the next quad may have */
} Watch;

static bool count_quads(void *user, const EmuPrimitive *primitive, const EmuQuad *quads,
                        uint32_t count) {
  Watch *watch = user;
  RasterBed *bed = watch->bed;
  (void)primitive;
  for (uint32_t i = 0; i < count; i++) {
    const EmuQuad *q = &quads[i];
    assert_true(q->x % 2 == 0 && q->y % 2 == 0 && q->x < BED_SIDE && q->y < BED_SIDE);
    assert_true(order_of(q) >= watch->next);
    assert_true(q->mask[0] | q->mask[1] | q->mask[2] | q->mask[3]);
    watch->next = order_of(q) + 1;
    bed->quads++;
    for (uint32_t lane = 0; lane < 4; lane++) {
      bed->helpers += !q->mask[lane];
      for (uint32_t s = 0; s < EMU_MAX_SAMPLES; s++)
        bed->covered[q->y + lane / 2][q->x + lane % 2][s] += q->mask[lane] >> s & 1;
    }
  }
  return true;
}

static uint32_t draw(RasterBed *bed, EmuShape shape, const uint32_t *corner) {
  EmuPrimitive made[3];
  bed->vertices.positions = (const float(*)[4])bed->positions;
  bed->vertices.point_sizes = bed->point_sizes;
  bed->vertices.distances = &bed->distances[0][0];
  uint32_t count = emu_primitive_setup(&bed->raster, &bed->vertices, shape, corner, 7, made);
  for (uint32_t i = 0; i < count; i++) {
    Watch watch = {.bed = bed};
    assert_true(emu_primitive_quads(&bed->raster, &made[i], count_quads, &watch));
    bed->last = made[i];
  }
  return count;
}

uint32_t bed_draw(RasterBed *bed, EmuShape shape, uint32_t first) {
  return draw(bed, shape, (uint32_t[3]){first, first + 1, first + 2});
}

void bed_triangle(RasterBed *bed, uint32_t a, uint32_t b, uint32_t c) {
  draw(bed, EMU_TRIANGLE, (uint32_t[3]){a, b, c});
}
