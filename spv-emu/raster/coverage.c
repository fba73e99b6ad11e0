/* SPDX-License-Identifier: Apache-2.0 */
/* coverage: the samples that a polygon covers.
 *
 * On each row of samples a polygon covers a span, from where a downward edge meets the row to where
 * an upward edge does. One rule defines the end of a span and the start of its neighbour: the first
 * pixel whose sample is not left of the edge. So a shared edge misses no sample, and covers none
 * twice. An edge also owns the row of its upper end, but not that of its lower end. Together this
 * is Vulkan's top-left rule. Spans are exact in 64-bit integers: coordinates have fewer than 30
 * bits. Rounding to the grid keeps the order of the corners' rows, so a clipped polygon also has
 * one edge of each direction in each row.
 *
 * Bands of 8 rows become tiles of 8x8 pixels, and a tile becomes one 64-bit mask for each sample:
 * bit 8 * y + x. Reference: Vulkan, "Basic Polygon Rasterization". */
#include "spv-emu/raster/setup.h"

#include <math.h>

enum { SIDE = 8, ROOM = 256, QUADS = SIDE * SIDE / 4 };

/* Pixels from `first` to before `end`. */
typedef struct Range {
  int64_t first, end;
} Range;

/* The spans of a band: [left, right) by sample and row. */
typedef struct Band {
  int64_t left[EMU_MAX_SAMPLES][SIDE], right[EMU_MAX_SAMPLES][SIDE];
  int64_t first, end;          /* range that holds all spans */
  int64_t all_left, all_right; /* range inside of all spans; empty if all_left >= all_right */
} Band;

typedef struct Scan {
  const EmuRaster *raster;
  const EmuPrimitive *primitive;
  const EmuSpot *spots;
  Range columns[EMU_MAX_SAMPLES], rows[EMU_MAX_SAMPLES]; /* by sample: columns and rows that it may
                                                            lie in */
  bool clockwise;
  EmuQuadSink *sink;
  void *user;
  uint32_t count;
  EmuQuad quads[ROOM];
} Scan;

static int64_t floor_div(int64_t a, int64_t b) {
  int64_t q = a / b;
  return q - (a % b < 0);
}

static int64_t ceil_div(int64_t a, int64_t b) {
  return -floor_div(-a, b);
}

static int64_t least(int64_t a, int64_t b) {
  return a < b ? a : b;
}

static int64_t most(int64_t a, int64_t b) {
  return a > b ? a : b;
}

/* ---- spans ----------------------------------------------------------------------------------- */

/* Sets spans[row - first_row] for all rows that the edge from (xa, ya) down to (xb, yb) owns, to
 * the first pixel whose sample, at (spot_x, spot_y) in the pixel, is not left of the edge. */
static void scan_edge(int64_t xa, int64_t ya, int64_t xb, int64_t yb, int64_t spot_x,
                      int64_t spot_y, uint32_t bits, int64_t first_row, int64_t *spans) {
  int64_t begin = most(ceil_div(ya - spot_y, (int64_t)1 << bits), first_row);
  int64_t end = least(ceil_div(yb - spot_y, (int64_t)1 << bits), first_row + SIDE);
  if (begin >= end)
    return;
  int64_t dx = xb - xa, dy = yb - ya, divisor = dy * ((int64_t)1 << bits);
  int64_t below = begin * ((int64_t)1 << bits) + spot_y - ya;
  int64_t number = (xa - spot_x) * dy + below * dx + divisor - 1;
  int64_t pixel = floor_div(number, divisor), rest = number - pixel * divisor;
  int64_t step = floor_div(dx, dy), step_rest = (dx - step * dy) * ((int64_t)1 << bits);
  for (int64_t row = begin; row < end; row++) {
    spans[row - first_row] = pixel;
    pixel += step;
    rest += step_rest;
    if (rest >= divisor) {
      rest -= divisor;
      pixel++;
    }
  }
}

static void scan_edges(const Scan *scan, int64_t first_row, Band *band) {
  const EmuPrimitive *p = scan->primitive;
  uint32_t bits = scan->raster->subpixel_bits;
  for (uint32_t i = 0; i < p->corners; i++) {
    uint32_t j = i + 1u < p->corners ? i + 1 : 0;
    bool down = p->y[i] < p->y[j];
    if (p->y[i] == p->y[j])
      continue;
    uint32_t from = down ? i : j, to = down ? j : i;
    for (uint32_t s = 0; s < scan->raster->samples; s++)
      scan_edge(p->x[from], p->y[from], p->x[to], p->y[to], (int64_t)scan->spots[s].x << bits >> 4,
                (int64_t)scan->spots[s].y << bits >> 4, bits, first_row,
                down == scan->clockwise ? band->right[s] : band->left[s]);
  }
}

static void empty_spans(const Scan *scan, Band *band) {
  for (uint32_t s = 0; s < scan->raster->samples; s++)
    for (uint32_t row = 0; row < SIDE; row++)
      band->left[s][row] = band->right[s][row] = 0;
}

static void limit_span(const Range *columns, bool row_is_inside, int64_t *left, int64_t *right) {
  *left = most(*left, columns->first);
  *right = row_is_inside ? least(*right, columns->end) : *left;
}

/* Limits the spans to the columns and rows that samples may lie in, and finds what the spans have
 * in common. */
static void limit_spans(const Scan *scan, int64_t first_row, Band *band) {
  band->first = band->all_right = INT64_MAX;
  band->end = band->all_left = INT64_MIN;
  for (uint32_t s = 0; s < scan->raster->samples; s++)
    for (uint32_t row = 0; row < SIDE; row++) {
      int64_t *left = &band->left[s][row], *right = &band->right[s][row], y = first_row + row;
      limit_span(&scan->columns[s], y >= scan->rows[s].first && y < scan->rows[s].end, left, right);
      if (*left < *right) {
        band->first = least(band->first, *left);
        band->end = most(band->end, *right);
      }
      band->all_left = most(band->all_left, *left);
      band->all_right = least(band->all_right, *right);
    }
}

/* ---- tiles ----------------------------------------------------------------------------------- */

/* The quads of a tile in Morton order, each as the bit of its first pixel. */
static const uint8_t morton[QUADS] = {0, 2, 16, 18, 4, 6, 20, 22, 32, 34, 48, 50, 36, 38, 52, 54};

static bool flush(Scan *scan) {
  uint32_t count = scan->count;
  scan->count = 0;
  return !count || scan->sink(scan->user, scan->primitive, scan->quads, count);
}

/* Computes the mask of each sample in the tile that starts at column x. Returns the union of the
 * masks. */
static uint64_t tile_masks(const Scan *scan, const Band *band, int64_t x,
                           uint64_t tile[EMU_MAX_SAMPLES]) {
  uint64_t any = 0;
  for (uint32_t s = 0; s < scan->raster->samples; s++) {
    uint64_t mask = 0;
    for (uint32_t row = 0; row < SIDE; row++) {
      int64_t begin = most(band->left[s][row] - x, 0), end = least(band->right[s][row] - x, SIDE);
      if (begin < end)
        mask |= (uint64_t)((0xffu << begin) & (0xffu >> (SIDE - end))) << SIDE * row;
    }
    tile[s] = mask;
    any |= mask;
  }
  return any;
}

static EmuQuad quad_of(const Scan *scan, const uint64_t tile[EMU_MAX_SAMPLES], uint32_t at,
                       int64_t x, int64_t y) {
  EmuQuad quad = {(uint16_t)(x + (at & 7)), (uint16_t)(y + (at >> 3)), {0}};
  for (uint32_t s = 0; s < scan->raster->samples; s++) {
    uint64_t bits = tile[s] >> at;
    quad.mask[0] |= (uint16_t)((bits & 1) << s);
    quad.mask[1] |= (uint16_t)((bits >> 1 & 1) << s);
    quad.mask[2] |= (uint16_t)((bits >> 8 & 1) << s);
    quad.mask[3] |= (uint16_t)((bits >> 9 & 1) << s);
  }
  return quad;
}

static void put_full_tile(Scan *scan, int64_t x, int64_t y) {
  uint16_t all = (uint16_t)((1u << scan->raster->samples) - 1);
  for (uint32_t n = 0; n < QUADS; n++)
    scan->quads[scan->count++] = (EmuQuad){
        (uint16_t)(x + (morton[n] & 7)), (uint16_t)(y + (morton[n] >> 3)), {all, all, all, all}};
}

/* Removes the samples where a plane is negative. False: none is left. */
static bool clip_quad(const Scan *scan, EmuQuad *quad) {
  const EmuPrimitive *p = scan->primitive;
  uint16_t left = 0;
  for (uint32_t lane = 0; lane < 4; lane++) {
    for (uint32_t s = 0; s < scan->raster->samples; s++) {
      double x = quad->x + (lane & 1) + scan->spots[s].x / 16.0 - p->x0;
      double y = quad->y + (lane >> 1) + scan->spots[s].y / 16.0 - p->y0;
      bool inside = true;
      for (uint32_t n = 0; n < p->clips; n++)
        inside &= emu_plane_at(&p->clip[n], x, y) >= 0;
      if (!inside)
        quad->mask[lane] &= (uint16_t)(~(1u << s));
    }
    left |= quad->mask[lane];
  }
  return left != 0;
}

static void put_tile(Scan *scan, const Band *band, int64_t x, int64_t y) {
  uint64_t tile[EMU_MAX_SAMPLES], any = tile_masks(scan, band, x, tile);
  for (uint32_t n = 0; any && n < QUADS; n++) {
    if (!(any >> morton[n] & 0x303))
      continue;
    EmuQuad quad = quad_of(scan, tile, morton[n], x, y);
    if (!scan->primitive->clips || clip_quad(scan, &quad))
      scan->quads[scan->count++] = quad;
  }
}

static bool put_band(Scan *scan, const Band *band, int64_t y) {
  for (int64_t x = band->first & -SIDE; x < band->end; x += SIDE) {
    bool full = band->all_left <= x && band->all_right >= x + SIDE && !scan->primitive->clips;
    if (full)
      put_full_tile(scan, x, y);
    else
      put_tile(scan, band, x, y);
    if (scan->count > ROOM - QUADS && !flush(scan))
      return false;
  }
  return true;
}

/* ---- primitives ------------------------------------------------------------------------------ */

static Range scissor_range(uint32_t at, uint32_t size, uint32_t framebuffer) {
  return (Range){at, least((int64_t)at + size, framebuffer)};
}

/* Limits the range to samples from `from` to before `from + size` (or the other way round if `size`
 * is negative), by the top-left rule. */
static Range limited(Range range, float from, float size, uint8_t spot) {
  double a = (double)from - spot / 16.0, b = a + (double)size;
  return (Range){most(range.first, (int64_t)ceil(fmin(a, b))),
                 least(range.end, (int64_t)ceil(fmax(a, b)))};
}

/* Triangles are clipped to the view volume, which is the viewport. */
static void limit_samples(Scan *scan) {
  const EmuRaster *r = scan->raster;
  Range columns = scissor_range(r->scissor.x, r->scissor.width, r->width);
  Range rows = scissor_range(r->scissor.y, r->scissor.height, r->height);
  bool clipped = scan->primitive->shape == EMU_TRIANGLE;
  for (uint32_t s = 0; s < r->samples; s++) {
    EmuSpot spot = scan->spots[s];
    scan->columns[s] =
        clipped ? limited(columns, r->viewport.x, r->viewport.width, spot.x) : columns;
    scan->rows[s] = clipped ? limited(rows, r->viewport.y, r->viewport.height, spot.y) : rows;
  }
}

/* The rows of pixels that the polygon may touch. */
static Range row_range(const Scan *scan) {
  const EmuPrimitive *p = scan->primitive;
  const EmuRaster *r = scan->raster;
  Range rows = scissor_range(r->scissor.y, r->scissor.height, r->height);
  int64_t top = p->y[0], bottom = p->y[0];
  for (uint32_t i = 1; i < p->corners; i++) {
    top = least(top, p->y[i]);
    bottom = most(bottom, p->y[i]);
  }
  return (Range){most(floor_div(top, (int64_t)1 << r->subpixel_bits), rows.first),
                 least(floor_div(bottom, (int64_t)1 << r->subpixel_bits) + 1, rows.end)};
}

/* Rows grow downwards, so a positive area is clockwise. */
static bool is_clockwise(const EmuPrimitive *p) {
  int64_t area = 0;
  for (uint32_t i = 1; i + 1u < p->corners; i++)
    area += ((int64_t)p->x[i] - p->x[0]) * ((int64_t)p->y[i + 1] - p->y[0]) -
            ((int64_t)p->x[i + 1] - p->x[0]) * ((int64_t)p->y[i] - p->y[0]);
  return area > 0;
}

bool emu_primitive_quads(const EmuRaster *raster, const EmuPrimitive *primitive, EmuQuadSink *sink,
                         void *user) {
  Scan scan;
  scan.raster = raster;
  scan.primitive = primitive;
  scan.spots = emu_sample_spots(raster->samples);
  scan.clockwise = is_clockwise(primitive);
  scan.sink = sink;
  scan.user = user;
  scan.count = 0;
  limit_samples(&scan);
  Range rows = row_range(&scan);
  for (int64_t y = rows.first & -SIDE; y < rows.end; y += SIDE) {
    Band band;
    empty_spans(&scan, &band);
    scan_edges(&scan, y, &band);
    limit_spans(&scan, y, &band);
    if (band.first < band.end && !put_band(&scan, &band, y))
      return false;
  }
  return flush(&scan);
}
