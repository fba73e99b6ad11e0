/* SPDX-License-Identifier: Apache-2.0 */
/* The weights of the corners at points for which they are known: a random mix of the corners, in
 * clip space (perspective) or in the framebuffer (no perspective), is projected, and the weights at
 * the result must be those of the mix; also for triangles that reach behind the eye. Then depth and
 * its bias, the points at which lanes interpolate, and lines, points and outlines. */
#include "tests/emu/raster/raster_bed.h"

#include <math.h>

static uint64_t seed = 3;

/* low to high, in steps of a thousandth of the range */
static double between(double low, double high) {
  return low + (high - low) * unit_below(&seed, 1001) / 1000;
}

static void near_to(double value, double expected, double tolerance, const char *what) {
  if (!(fabs(value - expected) <= tolerance))
    fail_msg("%s is %.9g, not %.9g", what, value, expected);
}

/* ---- triangles ------------------------------------------------------------------------------- */

/* Twice the area of the corners in the framebuffer, in pixels; 0: one is behind the eye. */
static double area(const RasterBed *bed) {
  double x[3], y[3];
  for (uint32_t i = 0; i < 3; i++) {
    const float *p = bed->positions[i];
    if (p[3] <= 0)
      return 0;
    x[i] = (double)(p[0] / p[3]) * BED_SIDE / 2;
    y[i] = (double)(p[1] / p[3]) * BED_SIDE / 2;
  }
  return fabs((x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]));
}

/* A point of the framebuffer with the corners' weights. False: it is outside or behind the eye. */
static bool mixed(const RasterBed *bed, const double weight[3], bool perspective, float *x,
                  float *y) {
  double sum[4] = {0};
  for (uint32_t i = 0; i < 3; i++) {
    const float *p = bed->positions[i];
    double scale = perspective ? weight[i] : weight[i] / (double)p[3];
    for (uint32_t c = 0; c < 4; c++)
      sum[c] += scale * (double)p[c];
  }
  *x = (float)((sum[0] / sum[3] + 1) * BED_SIDE / 2);
  *y = (float)((sum[1] / sum[3] + 1) * BED_SIDE / 2);
  return sum[3] > 0.01 && *x >= 0 && *x < BED_SIDE && *y >= 0 && *y < BED_SIDE;
}

/* Checks one mix of a drawn triangle; `outer` lets weights be negative, as in helper lanes. */
static bool check_mix(const RasterBed *bed, bool perspective, bool outer, double tolerance) {
  double b1 = between(outer ? -0.3 : 0, 1), b2 = between(outer ? -0.3 : 0, 1 - b1);
  const double weight[3] = {1 - b1 - b2, b1, b2};
  float x, y, first, second, rcp_w;
  if (!mixed(bed, weight, perspective, &x, &y))
    return false;
  emu_barycentric(&bed->last, perspective, 1, &x, &y, &first, &second);
  near_to((double)first, b1, tolerance, "the weight of corner 1");
  near_to((double)second, b2, tolerance, "the weight of corner 2");
  emu_rcp_w_at(&bed->last, 1, &x, &y, &rcp_w);
  double w = 0;
  for (uint32_t i = 0; i < 3; i++)
    w += weight[i] * (double)bed->positions[i][3];
  if (perspective)
    near_to((double)rcp_w * w, 1, 10 * tolerance, "w / w");
  return true;
}

static void grid_vertex(RasterBed *bed, double w) {
  bed_vertex(bed, nearbyint(between(-20, 84) * 256) / 256, nearbyint(between(-20, 84) * 256) / 256,
             between(0, 1), w);
}

static void weights_are_those_of_the_mix(void **state) {
  (void)state;
  uint32_t checked = 0;
  for (uint32_t i = 0; i < 4000; i++) {
    RasterBed bed = bed_make(1, 8);
    for (uint32_t n = 0; n < 3; n++)
      grid_vertex(&bed, i % 2 ? between(0.25, 4) : 2);
    if (area(&bed) < 100 || !bed_draw(&bed, EMU_TRIANGLE, 0))
      continue;
    for (uint32_t n = 0; n < 8; n++)
      checked += check_mix(&bed, n % 2, n & 2, 1e-4);
  }
  assert_true(checked > 10000);
}

static void weights_hold_behind_the_eye(void **state) {
  (void)state;
  uint32_t checked = 0;
  for (uint32_t i = 0; i < 4000; i++) {
    RasterBed bed = bed_make(1, 8);
    bed.raster.depth.clamp = true;
    for (uint32_t n = 0; n < 3; n++) {
      bed_vertex(&bed, 0, 0, 0.5, 1);
      for (uint32_t c = 0; c < 3; c++)
        bed.positions[n][c] = (float)between(-2, 2);
      bed.positions[n][3] = (float)(n == i % 3 ? between(-3, -0.5) : between(0.5, 3));
    }
    if (bed_draw(&bed, EMU_TRIANGLE, 0) && bed.last.corners > 3)
      for (uint32_t n = 0; n < 8; n++)
        checked += check_mix(&bed, true, false, 0.02);
  }
  assert_true(checked > 5000);
}

static void equal_values_stay(void **state) {
  (void)state;
  for (uint32_t i = 0; i < 1000; i++) {
    float b1[2] = {(float)between(-3, 3), 0.3f}, b2[2] = {(float)between(-3, 3), 0.1f}, f[2];
    float value = (float)between(-1e6, 1e6);
    emu_interpolate(2, b1, b2, value, value, value, f);
    assert_true(f[0] == value && f[1] == value);
    emu_interpolate(2, b1, b2, 1, 2, 5, f);
    near_to((double)f[1], 1.7, 1e-6, "the mix of 1, 2 and 5");
  }
}

/* ---- depth ----------------------------------------------------------------------------------- */

static void depth_is_linear_in_the_framebuffer(void **state) {
  (void)state;
  RasterBed bed = bed_make(1, 8);
  bed.raster.viewport.min_depth = 0.75f;
  bed.raster.viewport.max_depth = 0.25f;
  bed_vertex(&bed, 0, 0, 0, 1);
  bed_vertex(&bed, 64, 0, 1, 3);
  bed_vertex(&bed, 0, 64, 0, 0.5);
  bed_draw(&bed, EMU_TRIANGLE, 0);
  for (float x = 0.5f; x < 60; x++) {
    float y = 2.5f, z;
    emu_depth_at(&bed.last, 1, &x, &y, &z);
    near_to((double)z, 0.75 - (double)x / 128, 1e-6, "depth");
  }
}

static void equal_depths_stay(void **state) {
  (void)state;
  for (uint32_t i = 0; i < 1000; i++) {
    RasterBed bed = bed_make(1, 8);
    for (uint32_t n = 0; n < 3; n++)
      bed_vertex(&bed, between(-9, 70), between(-9, 70), 0.375, 1);
    if (bed_draw(&bed, EMU_TRIANGLE, 0)) {
      float x = (float)between(-100, 200), y = (float)between(-100, 200), z, rcp_w;
      emu_depth_at(&bed.last, 1, &x, &y, &z);
      emu_rcp_w_at(&bed.last, 1, &x, &y, &rcp_w);
      assert_true(z == 0.375f);
      near_to((double)rcp_w, 1, 1e-6, "1/w");
    }
  }
}

/* Depth clamp limits what is tested, not FragCoord. */
static void depth_is_not_clamped(void **state) {
  (void)state;
  for (uint32_t clamp = 0; clamp < 2; clamp++) {
    RasterBed bed = bed_make(1, 8);
    bed.raster.depth.clamp = clamp;
    bed.raster.viewport.min_depth = 0.25f;
    bed.raster.viewport.max_depth = 0.75f;
    bed_vertex(&bed, 0, 0, -1, 1);
    bed_vertex(&bed, 64, 0, 3, 1);
    bed_vertex(&bed, 0, 64, -1, 1);
    bed_draw(&bed, EMU_TRIANGLE, 0);
    for (float x = 0.5f; x < 64; x++) {
      float y = 0.5f, z;
      emu_depth_at(&bed.last, 1, &x, &y, &z);
      near_to((double)z, -0.25 + (double)x / 32, 1e-6, "depth");
    }
  }
}

/* The bias of a triangle whose depth grows by 0.5 over 64 pixels to the right. */
static double bias_of(float constant, float slope, float clamp, const char *format) {
  RasterBed bed = bed_make(1, 8);
  bed.raster.depth_format = format ? emu_format_find(format) : NULL;
  bed.raster.depth.bias = true;
  bed.raster.depth.bias_constant = constant;
  bed.raster.depth.bias_slope = slope;
  bed.raster.depth.bias_clamp = clamp;
  bed_vertex(&bed, 0, 0, 0, 1);
  bed_vertex(&bed, 64, 0, 0.5, 1);
  bed_vertex(&bed, 0, 64, 0, 1);
  bed_draw(&bed, EMU_TRIANGLE, 0);
  float x = 16, y = 16, z;
  emu_depth_at(&bed.last, 1, &x, &y, &z);
  return (double)z - 0.125;
}

static void depth_is_biased(void **state) {
  (void)state;
  near_to(bias_of(0, 2, 0, "D32_SFLOAT"), 1 / 64.0, 1e-7, "the bias of a slope");
  near_to(bias_of(1024, 0, 0, "D16_UNORM"), 1 / 64.0, 1e-7, "a constant bias of D16");
  near_to(bias_of(1 << 18, 0, 0, "D24_UNORM_S8_UINT"), 1 / 64.0, 1e-7, "a constant bias of D24");
  near_to(bias_of(1 << 18, 0, 0, "D32_SFLOAT"), 1 / 64.0, 1e-7, "a bias below depth 1/2");
  near_to(bias_of(0, 2, 1 / 128.0f, NULL), 1 / 128.0, 1e-7, "a bias clamped from above");
  near_to(bias_of(0, -2, -1 / 128.0f, NULL), -1 / 128.0, 1e-7, "a bias clamped from below");
  near_to(bias_of(0, -60, 0, NULL), -0.46875, 1e-7, "a bias to below 0");
  near_to(bias_of(0, 2, -1 / 128.0f, NULL), 1 / 64.0, 1e-7, "a bias above a negative clamp");
  near_to(bias_of(0, -2, 1 / 128.0f, NULL), -1 / 64.0, 1e-7, "a bias below a positive clamp");
  near_to(bias_of(-1024, 2, 0, "D16_UNORM"), 0, 1e-7, "a constant against a slope");
}

/* How far a constant factor moves a flat triangle of depth z, as a power of two. */
static void check_unit(const char *format, double z, float min_depth, float max_depth, bool clamp,
                       int power) {
  RasterBed bed = bed_make(1, 8);
  const float factor = 0x1p20f;
  bed.raster.viewport.min_depth = min_depth;
  bed.raster.viewport.max_depth = max_depth;
  bed.raster.depth_format = emu_format_find(format);
  bed.raster.depth.clamp = clamp;
  for (uint32_t biased = 0; biased < 2; biased++) {
    bed_clear(&bed);
    bed.raster.depth.bias = biased;
    bed.raster.depth.bias_constant = factor;
    bed_vertex(&bed, 0, 0, z, 1);
    bed_vertex(&bed, 64, 0, z, 1);
    bed_vertex(&bed, 0, 64, z, 1);
    assert_int_equal(bed_draw(&bed, EMU_TRIANGLE, 0), 1);
    double plain = (double)min_depth + z * ((double)max_depth - (double)min_depth);
    near_to(bed.last.z.c, plain + (biased ? ldexp((double)factor, power) : 0), 1e-9, format);
  }
}

/* Floats: the place value of the last bit of the greatest depth in the framebuffer. */
static void units_of_bias_follow_the_format(void **state) {
  (void)state;
  static const char *const unorms[] = {"D16_UNORM", "D16_UNORM_S8_UINT", "X8_D24_UNORM_PACK32",
                                       "D24_UNORM_S8_UINT", "S8_UINT"};
  static const int powers[] = {-16, -16, -24, -24, -24};
  for (uint32_t i = 0; i < 5; i++)
    check_unit(unorms[i], 0.25, 0, 1, false, powers[i]);
  for (uint32_t i = 0; i < 2; i++) {
    const char *format = i ? "D32_SFLOAT_S8_UINT" : "D32_SFLOAT";
    check_unit(format, 1, 0, 1, false, -23);
    check_unit(format, 0.96875, 0, 1, false, -24);
    check_unit(format, 1, 0, 0.5f, false, -24);     /* z/w is 1, the depth 0.5 */
    check_unit(format, 0.25, 0.75f, 0, false, -24); /* a reversed range: 0.5625 */
    check_unit(format, 1, 0.75f, 0.125f, false, -26);
    check_unit(format, 0, 0.125f, 0.75f, false, -26);
    check_unit(format, 3, 0, 1, true, -22); /* only tests clamp it */
    check_unit(format, -3, 0, 1, true, -22);
    check_unit(format, 0, 0, 1, false, -149);
  }
}

/* Depth clipping leaves depths of the viewport's range. */
static void units_of_bias_after_clipping(void **state) {
  (void)state;
  for (uint32_t clamp = 0; clamp < 2; clamp++) {
    RasterBed bed = bed_make(1, 8);
    bed.raster.viewport.max_depth = 0.75f;
    bed.raster.depth_format = emu_format_find("D32_SFLOAT");
    bed.raster.depth.clamp = clamp;
    bed.raster.depth.bias = true;
    bed.raster.depth.bias_constant = 0x1p20f;
    bed_vertex(&bed, 0, 0, 0, 1);
    bed_vertex(&bed, 64, 0, 8, 1);
    bed_vertex(&bed, 0, 64, 0, 1);
    bed_draw(&bed, EMU_TRIANGLE, 0);
    near_to(bed.last.z.c, ldexp(1, 20 + (clamp ? -21 : -24)), 1e-9, "the bias at depth 0");
  }
}

/* ---- points of lanes ------------------------------------------------------------------------- */

static void lanes_have_their_points(void **state) {
  (void)state;
  const EmuQuad quad = {10, 20, {0xf, 0x0, 0xc, 0x2}};
  float x[4], y[4];
  emu_quad_points(&quad, 1, EMU_AT_CENTER, 4, 0, x, y);
  for (uint32_t i = 0; i < 4; i++)
    assert_true(x[i] == 10.5f + (float)(i % 2) && y[i] == 20.5f + (float)(i / 2));
  emu_quad_points(&quad, 1, EMU_AT_CENTROID, 4, 0, x, y);
  assert_true(x[0] == 10.5f && y[0] == 20.5f);     /* fully covered */
  assert_true(x[1] == 11.5f && y[1] == 20.5f);     /* a helper */
  assert_true(x[2] == 10.125f && y[2] == 21.625f); /* samples 2 and 3 */
  assert_true(x[3] == 11.875f && y[3] == 21.375f); /* sample 1 */
  emu_quad_points(&quad, 1, EMU_AT_SAMPLE, 4, 3, x, y);
  for (uint32_t i = 0; i < 4; i++)
    assert_true(x[i] == 10.625f + (float)(i % 2) && y[i] == 20.875f + (float)(i / 2));
}

/* ---- lines and points ------------------------------------------------------------------------ */

static void lines_are_rectangles(void **state) {
  (void)state;
  for (uint32_t i = 0; i < 500; i++) {
    RasterBed bed = bed_make(i % 2 ? 1 : 4, 8);
    double ends[4], half = (double)(bed.raster.line_width = (float)between(1, 9)) / 2;
    for (uint32_t n = 0; n < 4; n++)
      ends[n] = nearbyint(between(0, 64) * 256) / 256;
    bed_vertex(&bed, ends[0], ends[1], 0, 1);
    bed_vertex(&bed, ends[2], ends[3], 1, between(0.5, 2));
    double dx = ends[2] - ends[0], dy = ends[3] - ends[1], length = hypot(dx, dy);
    if (length < 1 || bed_draw(&bed, EMU_LINE, 0) != 1)
      continue;
    for (uint32_t at = 0; at < BED_SIDE * BED_SIDE; at++) {
      EmuSpot spot = emu_sample_spots(bed.raster.samples)[0];
      double x = at % BED_SIDE + spot.x / 16.0, y = at / BED_SIDE + spot.y / 16.0;
      double along = ((x - ends[0]) * dx + (y - ends[1]) * dy) / length;
      double across = fabs((x - ends[0]) * dy - (y - ends[1]) * dx) / length;
      double inside = fmin(fmin(along, length - along), half - across);
      if (fabs(inside) > 0.01) /* corners are rounded to the grid */
        assert_int_equal(bed.covered[at / BED_SIDE][at % BED_SIDE][0], inside > 0);
      float px = (float)x, py = (float)y, b1, b2, z;
      emu_barycentric(&bed.last, false, 1, &px, &py, &b1, &b2);
      emu_depth_at(&bed.last, 1, &px, &py, &z);
      near_to((double)b1, along / length, 1e-4, "the way along a line");
      near_to((double)z, along / length, 1e-4, "a line's depth");
      assert_true(b2 == 0);
    }
  }
}

static void points_are_squares(void **state) {
  (void)state;
  for (uint32_t i = 0; i < 500; i++) {
    RasterBed bed = bed_make(1, 8);
    double size = nearbyint(between(1, 20)), px = nearbyint(between(0, 64)) / 1;
    double py = nearbyint(between(0, 63)) + 0.5;
    bed_vertex(&bed, px, py, 0.5, 2);
    bed.point_sizes[0] = (float)size;
    assert_int_equal(bed_draw(&bed, EMU_POINT, 0), 1);
    for (uint32_t at = 0; at < BED_SIDE * BED_SIDE; at++) {
      double x = at % BED_SIDE + 0.5, y = at / BED_SIDE + 0.5;
      bool inside =
          x >= px - size / 2 && x < px + size / 2 && y >= py - size / 2 && y < py + size / 2;
      assert_int_equal(bed.covered[at / BED_SIDE][at % BED_SIDE][0], inside);
      float fx = (float)x, fy = (float)y, s, t;
      emu_point_coord_at(&bed.last, 1, &fx, &fy, &s, &t);
      near_to((double)s, 0.5 + (x - px) / size, 1e-5, "PointCoord.x");
      near_to((double)t, 0.5 + (y - py) / size, 1e-5, "PointCoord.y");
    }
  }
}

static void points_outside_are_clipped(void **state) {
  (void)state;
  static const struct {
    double x, y, z;
    uint32_t drawn;
  } cases[] = {
      {32, 32, 0.5, 1}, {-1, 32, 0.5, 0}, {32, 65, 0.5, 0}, {32, 32, -0.1, 0}, {32, 32, 1.1, 0}};
  for (uint32_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    RasterBed bed = bed_make(1, 8);
    bed_vertex(&bed, cases[i].x, cases[i].y, cases[i].z, 1);
    bed.point_sizes[0] = 8;
    assert_int_equal(bed_draw(&bed, EMU_POINT, 0), cases[i].drawn);
  }
}

static void polygon_modes_draw_outlines(void **state) {
  (void)state;
  for (uint32_t mode = 1; mode < 3; mode++) {
    RasterBed bed = bed_make(1, 8);
    bed.raster.polygon_mode = mode;
    const double at[3][2] = {{10.5, 10.5}, {50.5, 10.5}, {10.5, 50.5}};
    for (uint32_t i = 0; i < 3; i++) {
      bed_vertex(&bed, at[i][0], at[i][1], 0.5, 1);
      bed.point_sizes[i] = 1;
    }
    assert_int_equal(bed_draw(&bed, EMU_TRIANGLE, 0), 3);
    assert_int_equal(bed.covered[10][30][0], mode == 1);
    assert_int_equal(bed.covered[15][15][0], 0);
    assert_int_equal(bed.covered[50][10][0], mode == 1 ? bed.covered[50][10][0] : 1);
    /* The last is the edge from corner 2 to 0, or corner 2: flat inputs are still corner 0's. */
    float x = 10.5f, y = mode == 1 ? 20.5f : 50.5f, b1, b2;
    emu_barycentric(&bed.last, true, 1, &x, &y, &b1, &b2);
    near_to((double)b2, mode == 1 ? 0.25 : 1, 1e-6, "the weight of corner 2");
    assert_true(b1 == 0 && bed.last.vertex[0] == 0 && bed.last.id == 7);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(weights_are_those_of_the_mix),
      cmocka_unit_test(weights_hold_behind_the_eye),
      cmocka_unit_test(equal_values_stay),
      cmocka_unit_test(depth_is_linear_in_the_framebuffer),
      cmocka_unit_test(equal_depths_stay),
      cmocka_unit_test(depth_is_not_clamped),
      cmocka_unit_test(depth_is_biased),
      cmocka_unit_test(units_of_bias_follow_the_format),
      cmocka_unit_test(units_of_bias_after_clipping),
      cmocka_unit_test(lanes_have_their_points),
      cmocka_unit_test(lines_are_rectangles),
      cmocka_unit_test(points_are_squares),
      cmocka_unit_test(points_outside_are_clipped),
      cmocka_unit_test(polygon_modes_draw_outlines),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
