/* SPDX-License-Identifier: Apache-2.0 */
/* gen_rasters: prints an AmberScript case that draws random primitives and expects the picture that
 * spv-emu/raster computes for them.
 *
 *   gen_rasters triangles|lines|points GRID_BITS SUBPIXEL_BITS SAMPLES COUNT SEED
 *
 * Each primitive adds a weight to all samples that it covers, so that the picture shows if a driver
 * covers others. Coordinates are multiples of 1/2^GRID_BITS pixels, rounded as a device with
 * SUBPIXEL_BITS does. Triangles are slivers, giants and usual ones; half of them share an edge with
 * their predecessor. All primitives are inside of the framebuffer: others would be clipped at its
 * edges, and drivers round the new corners. */
#include "spv-emu/raster/attachment.h"
#include "spv-emu/raster/raster.h"

#include "spv-emu/cases/random.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 256, MOST = 1 << 20 };

typedef struct Case {
  EmuShape shape;
  uint32_t grid_bits, count;
  uint64_t seed;
  EmuRaster raster;
  float (*positions)[4]; /* count times shape */
  double *weights;       /* by sample */
} Case;

static uint32_t below(Case *c, uint32_t n) {
  return (uint32_t)(emu_random(&c->seed) >> 32) % n;
}

static uint32_t weight_of(uint32_t primitive) {
  return 1 + primitive * 7919 % 97;
}

/* ---- primitives ------------------------------------------------------------------------------ */

/* A random coordinate in pixels, on the grid; every second one is that of a corner or centre of a
 * pixel, where ties occur. */
static double coordinate(Case *c, int32_t low, int32_t high) {
  double unit = ldexp(1, (int)c->grid_bits);
  double at = low + below(c, (uint32_t)(high - low) * (uint32_t)unit) / unit;
  return below(c, 2) ? at : floor(2 * at) / 2;
}

static void put(Case *c, uint32_t at, double x, double y) {
  float *p = c->positions[at];
  p[0] = (float)(x / (SIDE / 2) - 1);
  p[1] = (float)(y / (SIDE / 2) - 1);
  p[2] = 0.5f;
  p[3] = 1;
}

static double pixels(const Case *c, uint32_t at, uint32_t axis) {
  return ((double)c->positions[at][axis] + 1) * (SIDE / 2);
}

/* Puts a corner next to the line from a to b. */
static void put_sliver(Case *c, uint32_t at, uint32_t a, uint32_t b) {
  double unit = ldexp(1, (int)c->grid_bits), way = below(c, 1000) / 1000.0, to[2];
  for (uint32_t axis = 0; axis < 2; axis++) {
    double from = pixels(c, a, axis), value = from + way * (pixels(c, b, axis) - from);
    to[axis] = (floor(value * unit) + below(c, 3)) / unit;
  }
  put(c, at, to[0], to[1]);
}

static void put_triangle(Case *c, uint32_t at) {
  uint32_t kind = below(c, 8), corner = 0;
  int32_t low = 0, high = SIDE;
  if (kind > 4) { /* small */
    low = (int32_t)below(c, SIDE - 20);
    high = low + 20;
  }
  if (at && at % 6 == 3) { /* an edge of the predecessor, in the other direction */
    memcpy(c->positions[at], c->positions[at - 1], sizeof *c->positions);
    memcpy(c->positions[at + 1], c->positions[at - 2], sizeof *c->positions);
    corner = 2;
  }
  for (; corner < 3; corner++)
    put(c, at + corner, coordinate(c, low, high), coordinate(c, low, high));
  if (kind == 1 || kind == 2)
    put_sliver(c, at + 2, at, at + 1);
}

static void put_line(Case *c, uint32_t at) {
  bool is_short = below(c, 2);
  double x = coordinate(c, 0, SIDE), y = coordinate(c, 0, SIDE);
  put(c, at, x, y);
  if (is_short)
    put(c, at + 1, x + coordinate(c, -9, 9), y + coordinate(c, -9, 9));
  else
    put(c, at + 1, coordinate(c, 0, SIDE), coordinate(c, 0, SIDE));
}

static void put_all(Case *c) {
  for (uint32_t i = 0; i < c->count; i++) {
    uint32_t at = i * c->shape;
    if (c->shape == EMU_TRIANGLE)
      put_triangle(c, at);
    else if (c->shape == EMU_LINE)
      put_line(c, at);
    else
      put(c, at, coordinate(c, 0, SIDE), coordinate(c, 0, SIDE));
  }
}

/* ---- the picture ----------------------------------------------------------------------------- */

static bool add_quads(void *user, const EmuPrimitive *primitive, const EmuQuad *quads,
                      uint32_t count) {
  Case *c = user;
  uint32_t samples = c->raster.samples;
  for (uint32_t i = 0; i < 4 * count; i++) {
    const EmuQuad *q = &quads[i / 4];
    size_t pixel = (size_t)(q->y + i % 4 / 2) * SIDE + q->x + i % 2;
    for (uint32_t s = 0; s < samples; s++)
      if (q->mask[i % 4] >> s & 1)
        c->weights[pixel * samples + s] += weight_of(primitive->id);
  }
  return true;
}

static void rasterize(Case *c) {
  EmuVertices vertices = {.positions = (const float(*)[4])c->positions};
  for (uint32_t i = 0; i < c->count; i++) {
    EmuPrimitive made[3];
    const uint32_t corner[3] = {i * c->shape, i * c->shape + 1, i * c->shape + 2};
    uint32_t n = emu_primitive_setup(&c->raster, &vertices, c->shape, corner, i, made);
    for (uint32_t k = 0; k < n; k++)
      emu_primitive_quads(&c->raster, &made[k], add_quads, c);
  }
}

/* ---- the script ------------------------------------------------------------------------------ */

static void print_head(const Case *c) {
  printf("#!amber\n"
         "SHADER vertex place GLSL\n"
         "#version 450\n"
         "layout(location = 0) in vec3 at;\n"
         "layout(location = 0) flat out float weight;\n"
         "void main() {\n"
         "  gl_Position = vec4(at.xy, 0.5, 1.0);\n"
         "  gl_PointSize = 1.0;\n"
         "  weight = at.z;\n"
         "}\n"
         "END\n"
         "SHADER fragment add GLSL\n"
         "#version 450\n"
         "layout(location = 0) flat in float weight;\n"
         "layout(location = 0) out float color;\n"
         "void main() { color = weight; }\n"
         "END\n");
  if (c->raster.samples > 1)
    printf("BUFFER many FORMAT R32_SFLOAT SAMPLES %u\n", c->raster.samples);
  printf("BUFFER picture FORMAT R32_SFLOAT\n"
         "BUFFER points DATA_TYPE vec3<float> DATA\n");
  for (uint32_t i = 0; i < c->count * (uint32_t)c->shape; i++)
    printf("%.9g %.9g %u\n", (double)c->positions[i][0], (double)c->positions[i][1],
           weight_of(i / c->shape));
  printf("END\nBUFFER expected FORMAT R32_SFLOAT DATA\n");
  for (uint32_t i = 0; i < SIDE * SIDE; i++) {
    double sum = 0;
    for (uint32_t s = 0; s < c->raster.samples; s++)
      sum += c->weights[i * c->raster.samples + s];
    printf("%.9g%c", sum / c->raster.samples, i % 16 == 15 ? '\n' : ' ');
  }
  printf("END\n");
}

static void print_draw(const Case *c) {
  static const char *const topologies[] = {"POINT_LIST", "LINE_LIST", "TRIANGLE_LIST"};
  printf("PIPELINE graphics p\n"
         "  ATTACH place\n"
         "  ATTACH add\n"
         "  FRAMEBUFFER_SIZE %u %u\n"
         "  VERTEX_DATA points LOCATION 0\n"
         "  BLEND\n"
         "    SRC_COLOR_FACTOR one\n"
         "    DST_COLOR_FACTOR one\n"
         "    COLOR_OP add\n"
         "  END\n",
         SIDE, SIDE);
  if (c->raster.samples > 1)
    printf("  BIND BUFFER many AS color LOCATION 0\n  BIND BUFFER picture AS resolve\n");
  else
    printf("  BIND BUFFER picture AS color LOCATION 0\n");
  printf("END\n"
         "CLEAR_COLOR p 0 0 0 0\n"
         "CLEAR p\n"
         "RUN p DRAW_ARRAY AS %s START_IDX 0 COUNT %u\n"
         "EXPECT picture EQ_BUFFER expected\n",
         topologies[c->shape - 1], c->count * (uint32_t)c->shape);
}

static EmuShape shape_of(const char *name) {
  return strcmp(name, "triangles") == 0 ? EMU_TRIANGLE
         : strcmp(name, "lines") == 0   ? EMU_LINE
                                        : EMU_POINT;
}

int main(int argc, char **argv) {
  if (argc != 7) {
    fprintf(stderr, "gen_rasters: expects SHAPE GRID_BITS SUBPIXEL_BITS SAMPLES COUNT SEED\n");
    return 1;
  }
  Case c = {.shape = shape_of(argv[1]),
            .grid_bits = (uint32_t)strtoul(argv[2], NULL, 10),
            .count = (uint32_t)strtoul(argv[5], NULL, 10),
            .seed = strtoul(argv[6], NULL, 10)};
  c.raster = (EmuRaster){.width = SIDE,
                         .height = SIDE,
                         .samples = (uint32_t)strtoul(argv[4], NULL, 10),
                         .subpixel_bits = (uint32_t)strtoul(argv[3], NULL, 10),
                         .viewport = {0, 0, SIDE, SIDE, 0, 1},
                         .scissor = {0, 0, SIDE, SIDE},
                         .line_width = 1};
  char text[200];
  if (c.count > MOST || !emu_raster_check(&c.raster, text, sizeof text)) {
    fprintf(stderr, "gen_rasters: %s\n", c.count > MOST ? "too many primitives" : text);
    return 1;
  }
  c.positions = calloc((size_t)c.count * 3 + 1, sizeof *c.positions);
  c.weights = calloc((size_t)SIDE * SIDE * c.raster.samples, sizeof *c.weights);
  if (!c.positions || !c.weights)
    return 1;
  put_all(&c);
  rasterize(&c);
  print_head(&c);
  print_draw(&c);
  free(c.positions);
  free(c.weights);
  return 0;
}
