/* SPDX-License-Identifier: Apache-2.0 */
/* Coverage compared with the edge functions of the top-left rule, evaluated at each sample in
 * 128-bit integers: random triangles on the sub-pixel grid, among them slivers and giants; meshes,
 * in which each sample must be covered once; triangles that reach behind the eye; facing; the
 * scissor. */
#include "tests/emu/raster/raster_bed.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 Wide;

static uint64_t seed = 1;

static uint32_t below(uint32_t n) {
  return unit_below(&seed, n);
}

/* ---- the reference --------------------------------------------------------------------------- */

typedef struct Grid {
  int64_t x, y; /* in sub-pixels */
} Grid;

/* Is p on the inner side of the edge a-b of a clockwise triangle, or on an edge that owns it? */
static bool edge_has(Grid a, Grid b, Grid p) {
  Wide dx = b.x - a.x, dy = b.y - a.y;
  Wide side = dx * (p.y - a.y) - dy * (p.x - a.x);
  bool top = dy == 0 && dx > 0, left = dy < 0;
  return side > 0 || (side == 0 && (top || left));
}

static bool triangle_has(const Grid t[3], Grid p) {
  Wide area =
      (Wide)(t[1].x - t[0].x) * (t[2].y - t[0].y) - (Wide)(t[2].x - t[0].x) * (t[1].y - t[0].y);
  Grid b = area > 0 ? t[1] : t[2], c = area > 0 ? t[2] : t[1];
  return area != 0 && edge_has(t[0], b, p) && edge_has(b, c, p) && edge_has(c, t[0], p);
}

static Grid sample_at(const EmuRaster *raster, uint32_t x, uint32_t y, uint32_t s) {
  EmuSpot spot = emu_sample_spots(raster->samples)[s];
  int64_t unit = ((int64_t)1 << raster->subpixel_bits) / 16;
  return (Grid){(x * 16 + spot.x) * unit, (y * 16 + spot.y) * unit};
}

static void assert_covers(const RasterBed *bed, const Grid t[3], uint32_t number) {
  for (uint32_t y = 0; y < BED_SIDE; y++)
    for (uint32_t x = 0; x < BED_SIDE; x++)
      for (uint32_t s = 0; s < bed->raster.samples; s++) {
        uint32_t has = triangle_has(t, sample_at(&bed->raster, x, y, s));
        if (bed->covered[y][x][s] != has)
          fail_msg("triangle %u: sample %u of pixel (%u, %u) is covered %u times, not %u", number,
                   s, x, y, bed->covered[y][x][s], has);
      }
}

/* ---- random triangles ------------------------------------------------------------------------ */

/* A random point on the grid, at most `pixels` pixels from the middle of the framebuffer. Single
 * precision can hold its coordinates if `pixels` is not too large. */
static Grid random_point(const RasterBed *bed, int64_t pixels) {
  int64_t unit = (int64_t)1 << bed->raster.subpixel_bits, span = 2 * pixels * unit;
  int64_t x = below((uint32_t)span), y = below((uint32_t)span);
  return (Grid){x + (BED_SIDE / 2 - pixels) * unit, y + (BED_SIDE / 2 - pixels) * unit};
}

/* Moves every second point to a corner or centre of a pixel, where ties occur. */
static Grid on_tie(const RasterBed *bed, Grid p) {
  int64_t half = (int64_t)1 << (bed->raster.subpixel_bits - 1);
  return below(2) ? p : (Grid){p.x & -half, p.y & -half};
}

static void random_triangle(const RasterBed *bed, Grid t[3]) {
  static const int64_t sizes[] = {4, 20, 40, 40, 100, 5000};
  int64_t size = sizes[below(6)];
  for (uint32_t i = 0; i < 3; i++)
    t[i] = on_tie(bed, random_point(bed, size));
  if (below(4) == 0) { /* a sliver: a corner next to the line between the others */
    int64_t way = below(1000);
    t[2] = (Grid){t[0].x + (t[1].x - t[0].x) * way / 1000 + below(3) - 1,
                  t[0].y + (t[1].y - t[0].y) * way / 1000 + below(3) - 1};
  }
}

static void draw_grid(RasterBed *bed, const Grid t[3]) {
  double unit = (double)((int64_t)1 << bed->raster.subpixel_bits);
  uint32_t first = bed->count;
  for (uint32_t i = 0; i < 3; i++)
    bed_vertex(bed, (double)t[i].x / unit, (double)t[i].y / unit, 0.5, 1);
  bed_draw(bed, EMU_TRIANGLE, first);
}

static void random_triangles_follow_the_rule(void **state) {
  (void)state;
  static const uint32_t samples[] = {1, 1, 4, 1, 8, 1, 2, 16};
  for (uint32_t i = 0; i < 12000; i++) {
    RasterBed bed = bed_make(samples[i / 2 % 8], i % 2 ? 4 : 8);
    Grid t[3];
    random_triangle(&bed, t);
    draw_grid(&bed, t);
    assert_covers(&bed, t, i);
  }
}

/* ---- meshes ---------------------------------------------------------------------------------- */

enum { CELLS = 9 };

/* A mesh of jittered cells over the whole framebuffer; each cell has one of its diagonals. */
static void draw_mesh(RasterBed *bed, double jitter) {
  double unit = (double)((int64_t)1 << bed->raster.subpixel_bits), step = BED_SIDE / (double)CELLS;
  bed_clear(bed);
  for (uint32_t y = 0; y <= CELLS; y++)
    for (uint32_t x = 0; x <= CELLS; x++) {
      double dx = x % CELLS ? jitter * (below(1000) - 500.0) / 500 : x ? 3 : -3;
      double dy = y % CELLS ? jitter * (below(1000) - 500.0) / 500 : y ? 3 : -3;
      bed_vertex(bed, nearbyint((x * step + dx) * unit) / unit,
                 nearbyint((y * step + dy) * unit) / unit, 0.5, 1);
    }
  for (uint32_t y = 0; y < CELLS; y++)
    for (uint32_t x = 0; x < CELLS; x++) {
      uint32_t a = y * (CELLS + 1) + x, b = a + 1, c = a + CELLS + 1, d = c + 1, turn = below(2);
      bed_triangle(bed, a, b, turn ? c : d);
      bed_triangle(bed, turn ? b : a, d, c);
    }
}

static void assert_once(const RasterBed *bed) {
  for (uint32_t y = 0; y < BED_SIDE; y++)
    for (uint32_t x = 0; x < BED_SIDE; x++)
      for (uint32_t s = 0; s < bed->raster.samples; s++)
        if (bed->covered[y][x][s] != 1)
          fail_msg("sample %u of pixel (%u, %u) is covered %u times", s, x, y,
                   bed->covered[y][x][s]);
}

static void meshes_cover_each_sample_once(void **state) {
  (void)state;
  for (uint32_t i = 0; i < 400; i++) {
    RasterBed bed = bed_make(i % 3 ? 1 : 4, i % 2 ? 4 : 8);
    draw_mesh(&bed, i % 5 ? 1.7 : 0); /* cells stay convex */
    assert_once(&bed);
  }
}

/* A fan whose spokes leave the guard band: clipping keeps edges shared. */
static void clipped_fans_cover_each_sample_once(void **state) {
  (void)state;
  for (uint32_t i = 0; i < 400; i++) {
    RasterBed bed = bed_make(i % 3 ? 1 : 4, i % 2 ? 4 : 8);
    bed.raster.depth.clamp = true;
    uint32_t spokes = 5 + below(9); /* less than 180 degrees from one to the next */
    bed_vertex(&bed, below(BED_SIDE), below(BED_SIDE), 0.5, 1);
    for (uint32_t n = 0; n < spokes; n++) {
      double angle = (n + below(100) / 101.0) * 6.283185307179586 / spokes;
      double far = i % 4 ? 3e6 : 1000;
      bed_vertex(&bed, cos(angle) * far, sin(angle) * far, 0.5, 1);
    }
    for (uint32_t n = 1; n <= spokes; n++)
      bed_triangle(&bed, 0, n, n % spokes + 1);
    assert_once(&bed);
  }
}

/* ---- perspective ----------------------------------------------------------------------------- */

typedef struct Inner {
  bool covered;
  double nearest; /* pixels to the nearest edge, extended to a line */
} Inner;

/* By the homogeneous weights of the corners, which are positive in the part before the eye. */
static Inner inner(const RasterBed *bed, double px, double py) {
  double m[3][3], det = 0, half = BED_SIDE / 2.0;
  Inner inner = {true, (double)INFINITY};
  for (uint32_t i = 0; i < 3; i++) {
    const float *p = bed->positions[i];
    m[i][0] = ((double)p[0] + (double)p[3]) * half;
    m[i][1] = ((double)p[1] + (double)p[3]) * half;
    m[i][2] = (double)p[3];
  }
  for (uint32_t i = 0, j = 1, k = 2; i < 3; i++, j = (j + 1) % 3, k = (k + 1) % 3)
    det += m[i][2] * (m[j][0] * m[k][1] - m[k][0] * m[j][1]);
  for (uint32_t i = 0, j = 1, k = 2; i < 3; i++, j = (j + 1) % 3, k = (k + 1) % 3) {
    double dx = m[j][1] * m[k][2] - m[k][1] * m[j][2];
    double dy = m[k][0] * m[j][2] - m[j][0] * m[k][2];
    double weight = px * dx + py * dy + m[j][0] * m[k][1] - m[k][0] * m[j][1];
    inner.covered &= weight / det > 0;
    inner.nearest = fmin(inner.nearest, fabs(weight) / hypot(dx, dy));
  }
  return inner;
}

static void triangles_behind_the_eye_show_their_front_part(void **state) {
  (void)state;
  uint32_t checked = 0, drawn = 0;
  for (uint32_t i = 0; i < 2000; i++) {
    RasterBed bed = bed_make(1, 8);
    bed.raster.depth.clamp = true;
    for (uint32_t n = 0; n < 3; n++) {
      bed_vertex(&bed, 0, 0, 0.5, 1);
      float *p = bed.positions[n];
      for (uint32_t c = 0; c < 2; c++)
        p[c] = (float)below(4000) / 1000 - 2;
      p[3] = (float)below(4000) / 1000 - (n == i % 3 ? 3.9f : 0.5f);
    }
    bed_draw(&bed, EMU_TRIANGLE, 0);
    for (uint32_t at = 0; at < BED_SIDE * BED_SIDE; at++) {
      uint32_t x = at % BED_SIDE, y = at / BED_SIDE, has = bed.covered[y][x][0];
      Inner is = inner(&bed, x + 0.5, y + 0.5);
      if (is.nearest < 0.05)
        continue; /* corners are rounded to the grid */
      checked++;
      drawn += has;
      if (has != is.covered)
        fail_msg("triangle %u: pixel (%u, %u) is covered %u times, %g pixels from an edge", i, x, y,
                 has, is.nearest);
    }
  }
  assert_true(checked > 4000000 && drawn > 200000);
}

/* ---- facing, scissor ------------------------------------------------------------------------- */

static uint32_t sum(const RasterBed *bed) {
  uint32_t all = 0;
  for (uint32_t at = 0; at < BED_SIDE * BED_SIDE; at++)
    for (uint32_t s = 0; s < EMU_MAX_SAMPLES; s++)
      all += bed->covered[at / BED_SIDE][at % BED_SIDE][s];
  return all;
}

static void facing_culls(void **state) {
  (void)state;
  for (uint32_t i = 0; i < 16; i++) {
    bool clockwise = i & 1, front_is_clockwise = i & 2, front = clockwise == front_is_clockwise;
    uint32_t cull = i >> 2; /* none, front, back, both */
    RasterBed bed = bed_make(1, 8);
    bed.raster.front_face = front_is_clockwise;
    bed.raster.cull_mode = cull;
    bed_vertex(&bed, 8, 8, 0.5, 1);
    bed_vertex(&bed, clockwise ? 24 : 8, clockwise ? 8 : 24, 0.5, 1);
    bed_vertex(&bed, clockwise ? 8 : 24, clockwise ? 24 : 8, 0.5, 1);
    uint32_t drawn = bed_draw(&bed, EMU_TRIANGLE, 0);
    assert_int_equal(drawn, !(cull & (front ? 1u : 2u)));
    if (drawn)
      assert_int_equal(bed.last.front, front);
  }
}

static void draw_all(RasterBed *bed) {
  bed_clear(bed);
  bed_vertex(bed, -100, -100, 0.5, 1);
  bed_vertex(bed, 300, -100, 0.5, 1);
  bed_vertex(bed, -100, 300, 0.5, 1);
  bed_draw(bed, EMU_TRIANGLE, 0);
}

static void scissor_limits(void **state) {
  (void)state;
  for (uint32_t i = 0; i < 200; i++) {
    RasterBed bed = bed_make(i % 2 ? 1 : 4, 8);
    EmuRect *r = &bed.raster.scissor;
    *r = (EmuRect){below(70), below(70), below(70), below(70)};
    draw_all(&bed);
    for (uint32_t at = 0; at < BED_SIDE * BED_SIDE; at++) {
      uint32_t x = at % BED_SIDE, y = at / BED_SIDE;
      bool inside = x >= r->x && x - r->x < r->width && y >= r->y && y - r->y < r->height;
      for (uint32_t s = 0; s < bed.raster.samples; s++)
        assert_int_equal(bed.covered[y][x][s], inside);
    }
  }
}

/* Whatever is outside of the viewport is outside of the view volume. */
static void triangles_are_clipped_to_the_viewport(void **state) {
  (void)state;
  for (uint32_t i = 0; i < 400; i++) {
    RasterBed bed = bed_make(i % 2 ? 1 : 4, 8);
    float left = (float)below(40) / 2, top = (float)below(40) / 2;
    float width = (float)(1 + below(60)) / 2, height = (float)(1 + below(60)) / 2;
    bool flipped = i % 4 > 1;
    bed.raster.viewport =
        (EmuViewport){left, flipped ? top + height : top, width, flipped ? -height : height, 0, 1};
    draw_all(&bed);
    for (uint32_t at = 0; at < BED_SIDE * BED_SIDE * bed.raster.samples; at++) {
      uint32_t s = at / BED_SIDE / BED_SIDE, y = at / BED_SIDE % BED_SIDE, x = at % BED_SIDE;
      Grid p = sample_at(&bed.raster, x, y, s);
      float px = (float)p.x / 256, py = (float)p.y / 256;
      bool inside = px >= left && px < left + width && py >= top && py < top + height;
      assert_int_equal(bed.covered[y][x][s], inside);
    }
  }
}

/* The end of a wide line at the side of the view volume is perpendicular to the line; a point is
 * cut off nowhere. */
static void lines_end_at_the_viewport(void **state) {
  (void)state;
  RasterBed bed = bed_make(1, 8);
  bed.raster.viewport = (EmuViewport){16, 16, 32, 32, 0, 1};
  bed.raster.line_width = 8;
  bed_vertex(&bed, 0, 0, 0.5, 1);     /* the corner of the viewport */
  bed_vertex(&bed, 128, 128, 0.5, 1); /* far outside */
  bed.point_sizes[0] = 8;
  bed_draw(&bed, EMU_LINE, 0);
  for (uint32_t y = 0; y < BED_SIDE; y++)
    for (uint32_t x = 0; x < BED_SIDE; x++) {
      double along = (x + y - 31.0) / sqrt(2), across = fabs((double)x - y) / sqrt(2);
      double length = 32 * sqrt(2), in = fmin(fmin(along, length - along), 4 - across);
      if (fabs(in) > 0.01)
        assert_int_equal(bed.covered[y][x][0], in > 0);
    }
  bed_draw(&bed, EMU_POINT, 0);
  assert_int_equal(bed.covered[12][12][0], 1);
}

static void helpers_complete_quads(void **state) {
  (void)state;
  RasterBed bed = bed_make(1, 8);
  bed_vertex(&bed, 3, 3, 0.5, 1);
  bed_vertex(&bed, 4, 3, 0.5, 1);
  bed_vertex(&bed, 3, 5, 0.5, 1);
  bed_draw(&bed, EMU_TRIANGLE, 0);
  assert_int_equal(sum(&bed), 1);
  assert_int_equal(bed.quads, 1);
  assert_int_equal(bed.helpers, 3);
}

/* ---- near, far, distances -------------------------------------------------------------------- */

/* A plane over the framebuffer whose depth goes from -0.5 at the left to 1.5 at the right. */
static void depth_is_clipped_at_samples(void **state) {
  (void)state;
  for (uint32_t clamp = 0; clamp < 2; clamp++) {
    RasterBed bed = bed_make(1, 8);
    bed.raster.depth.clamp = clamp;
    bed_vertex(&bed, 0, 0, -0.5, 1);
    bed_vertex(&bed, 128, 0, 3.5, 1);
    bed_vertex(&bed, 0, 128, -0.5, 1);
    bed_draw(&bed, EMU_TRIANGLE, 0);
    for (uint32_t x = 0; x < BED_SIDE; x++)
      assert_int_equal(bed.covered[5][x][0], clamp || (x >= 16 && x < 48));
  }
}

/* The near and the far plane belong to the view volume: a triangle in one of them is drawn, with
 * any w; the next float outside is not, unless depth is clamped. */
static void planes_of_depth_are_inside(void **state) {
  (void)state;
  static const float ws[] = {0.25f, 1, 3};
  for (uint32_t i = 0; i < 24; i++) {
    const bool far = i & 1, outside = i & 2, clamp = i & 4;
    float w = ws[i / 8], z = far ? w : 0;
    RasterBed bed = bed_make(1, 8);
    bed.raster.depth.clamp = clamp;
    bed_vertex(&bed, 0, 0, 0, (double)w);
    bed_vertex(&bed, 128, 0, 0, (double)w);
    bed_vertex(&bed, 0, 128, 0, (double)w);
    for (uint32_t n = 0; n < 3; n++)
      bed.positions[n][2] = outside ? nextafterf(z, far ? INFINITY : -INFINITY) : z;
    assert_int_equal(bed_draw(&bed, EMU_TRIANGLE, 0), clamp || !outside);
    for (uint32_t at = 0; at < BED_SIDE * BED_SIDE; at++)
      assert_int_equal(bed.covered[at / BED_SIDE][at % BED_SIDE][0], clamp || !outside);
  }
}

static void distances_clip_and_cull(void **state) {
  (void)state;
  static const struct {
    uint32_t clip, cull;
    float at[3];
    uint32_t first, end; /* covered columns */
  } cases[] = {{1, 0, {-1, 3, -1}, 32, 64}, {1, 0, {1, -3, 1}, 0, 32},
               {1, 0, {-1, -1, -1}, 0, 0},  {0, 1, {-1, 3, -1}, 0, 64},
               {0, 1, {-1, -1, -1}, 0, 0},  {1, 0, {NAN, NAN, NAN}, 0, 0}};
  for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    RasterBed bed = bed_make(1, 8);
    bed.vertices.clip_count = cases[i].clip;
    bed.vertices.cull_count = cases[i].cull;
    bed_vertex(&bed, 0, 0, 0.5, 1);
    bed_vertex(&bed, 128, 0, 0.5, 1);
    bed_vertex(&bed, 0, 128, 0.5, 1);
    memcpy(bed.distances, cases[i].at, sizeof cases[i].at); /* one a vertex, without gaps */
    bed_draw(&bed, EMU_TRIANGLE, 0);
    for (uint32_t x = 0; x < BED_SIDE; x++)
      assert_int_equal(bed.covered[9][x][0], x >= cases[i].first && x < cases[i].end);
  }
}

static void what_is_not_finite_is_not_drawn(void **state) {
  (void)state;
  static const float bad[] = {INFINITY, -INFINITY, NAN};
  for (uint32_t i = 0; i < 12; i++) {
    RasterBed bed = bed_make(1, 8);
    draw_all(&bed);
    bed.positions[1][i % 4] = bad[i / 4];
    assert_int_equal(bed_draw(&bed, EMU_TRIANGLE, 0), 0);
  }
}

/* Any bits at all: small, huge, denormal, infinite, NaN. */
static float any_float(void) {
  uint32_t bits = below(1u << 16) << 16 | below(1u << 16);
  float value;
  memcpy(&value, &bits, sizeof value);
  return below(3) ? (float)below(4001) / 1000 - 2 : value;
}

/* Nothing is assumed of what shaders write; the sanitizers watch. bed_draw asserts the rest. */
static void any_bits_stay_inside(void **state) {
  (void)state;
  uint32_t drawn = 0;
  for (uint32_t i = 0; i < 20000; i++) {
    RasterBed bed = bed_make(i % 2 ? 1 : 4, i % 3 ? 8 : 4);
    char text[300];
    bed.raster.polygon_mode = below(3);
    bed.raster.depth.clamp = below(2);
    bed.raster.depth.bias = below(2);
    bed.raster.depth.bias_slope = any_float();
    bed.raster.line_width = any_float();
    if (below(2))
      bed.raster.viewport = (EmuViewport){any_float(),
                                          any_float(),
                                          32 * any_float(),
                                          32 * any_float(),
                                          below(2) ? 0 : any_float(),
                                          1};
    bed.vertices.clip_count = below(4) ? 0 : 3;
    for (uint32_t n = 0; n < 3; n++) {
      bed_vertex(&bed, 0, 0, 0, 1);
      for (uint32_t c = 0; c < 4; c++)
        bed.positions[n][c] = c < 3 || below(2) ? any_float() : 1;
      bed.point_sizes[n] = any_float();
      bed.distances[0][n] = bed.distances[0][3 + n] = any_float();
    }
    if (emu_raster_check(&bed.raster, text, sizeof text))
      drawn += bed_draw(&bed, (EmuShape)(1 + i % 3), 0);
    float x = any_float(), y = any_float(), b1, b2;
    emu_barycentric(&bed.last, true, 1, &x, &y, &b1, &b2);
  }
  assert_true(drawn > 1000);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(random_triangles_follow_the_rule),
      cmocka_unit_test(meshes_cover_each_sample_once),
      cmocka_unit_test(clipped_fans_cover_each_sample_once),
      cmocka_unit_test(triangles_behind_the_eye_show_their_front_part),
      cmocka_unit_test(facing_culls),
      cmocka_unit_test(scissor_limits),
      cmocka_unit_test(triangles_are_clipped_to_the_viewport),
      cmocka_unit_test(lines_end_at_the_viewport),
      cmocka_unit_test(helpers_complete_quads),
      cmocka_unit_test(depth_is_clipped_at_samples),
      cmocka_unit_test(planes_of_depth_are_inside),
      cmocka_unit_test(distances_clip_and_cull),
      cmocka_unit_test(what_is_not_finite_is_not_drawn),
      cmocka_unit_test(any_bits_stay_inside),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
