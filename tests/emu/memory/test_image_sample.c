/* SPDX-License-Identifier: Apache-2.0 */
/* Sampling and gathering compared with a slow reference, written independently from the formulas of
 * Vulkan's chapter "Image Operations": wrapping by counting, cubes by the directions of texel
 * centres, filters as sums over all texels of a level with a weight each. */
#include "tests/emu/memory/image_world.h"

#include <math.h>
#include <stdlib.h>

static uint64_t seed;

static uint32_t below(uint32_t n) {
  return unit_below(&seed, n);
}
static bool chance(uint32_t one_in) {
  return !below(one_in);
}
/* In steps of 1/64, so that ties and edges occur. */
static double between(double low, double high) {
  if (chance(2))
    return low + (high - low) * below(1u << 30) / (double)(1u << 30);
  return floor(low * 64 + (high - low) * 64 * below(1000) / 1000) / 64;
}

/* ---- the reference --------------------------------------------------------------------------- */

typedef struct Call { /* the request of one lane */
  const EmuImage *image;
  const EmuSampler *sampler;
  SpvDim dim;
  bool arrayed, compare, gradients;
  double at[4], layer, dref, lod, bias, min_lod, dx[3], dy[3];
  int offset[3];
} Call;

typedef struct Colour {
  double c[4];
} Colour;

static int side(const EmuImage *image, int axis, int level) {
  int size = (int)(axis == 0 ? image->width : axis == 1 ? image->height : image->depth);
  for (; level > 0 && size > 1; level--)
    size /= 2;
  return size;
}

static Colour texel(const Call *call, int level, int layer, int z, int y, int x) {
  const EmuImage *image = call->image;
  uint64_t index = 0;
  for (int l = 0; l < level; l++)
    index += (uint64_t)side(image, 0, l) * side(image, 1, l) * side(image, 2, l) * image->layers;
  index += ((uint64_t)(layer * side(image, 2, level) + z) * side(image, 1, level) + y) *
               side(image, 0, level) +
           x;
  Colour colour;
  emu_pixel_unpack(image->format, image->bytes + index * image->format->bytes, colour.c);
  return colour;
}

static Colour compared(const Call *call, Colour colour) {
  if (!call->compare)
    return colour;
  float d = (float)colour.c[0], r = (float)call->dref;
  if (strstr(call->image->format->name, "UNORM"))
    r = r < 0 ? 0 : r > 1 ? 1 : r;
  bool yes[8] = {false, (r < d), r == d, r <= d, (r > d), r != d, r >= d, true};
  return (Colour){{yes[call->sampler->as->compare_op], 0, 0, 1}};
}

static Colour border_colour(const Call *call) {
  static const Colour colours[3] = {{{0, 0, 0, 0}}, {{0, 0, 0, 1}}, {{1, 1, 1, 1}}};
  Colour all = colours[call->sampler->as->border_color / 2], colour = {{0, 0, 0, 1}};
  for (int n = 0; n < 4; n++)
    if (emu_format_has(call->image->format, "RGBA"[n]))
      colour.c[n] = all.c[n];
  if (emu_format_has(call->image->format, 'D'))
    colour.c[0] = all.c[0];
  return colour;
}

/* Wraps one step at a time; SIZE: the border. */
static int wrapped(uint32_t mode, int at, int size) {
  if (mode == 3)
    return at < 0 || at >= size ? INT32_MAX : at;
  if (mode == 2)
    return at < 0 ? 0 : at >= size ? size - 1 : at;
  if (mode == 4) {
    at = at < 0 ? -1 - at : at;
    return at >= size ? size - 1 : at;
  }
  int period = mode == 1 ? 2 * size : size;
  while (at < 0)
    at += period;
  while (at >= period)
    at -= period;
  return at < size ? at : period - 1 - at;
}

/* The texel at whole coordinates of a layer, after wrapping and comparison. */
static Colour flat(const Call *call, int level, int layer, const int at[3]) {
  const EmuSamplerState *as = call->sampler->as;
  const uint32_t modes[3] = {as->address_mode_u, as->address_mode_v, as->address_mode_w};
  int axes = call->dim == SpvDim1D ? 1 : call->dim == SpvDim3D ? 3 : 2, to[3] = {0};
  for (int n = 0; n < axes; n++) {
    to[n] = wrapped(call->dim == SpvDimCube ? 2 : modes[n], at[n], side(call->image, n, level));
    if (to[n] == INT32_MAX)
      return compared(call, border_colour(call));
  }
  return compared(call, texel(call, level, layer, to[2], to[1], to[0]));
}

/* A point of a face's plane; s and t from -1 to 1. */
static void cube_point(int face, double s, double t, double v[3]) {
  const double points[6][3] = {{1, -t, -s}, {-1, -t, s}, {s, 1, t},
                               {s, -1, -t}, {s, -t, 1},  {-s, -t, -1}};
  memcpy(v, points[face], sizeof points[face]);
}

/* Face and position of a direction; on ties z precedes y precedes x. */
static int cube_face(const double v[3], double *s, double *t) {
  double x = fabs(v[0]), y = fabs(v[1]), z = fabs(v[2]);
  int face = z >= y && z >= x ? (v[2] < 0 ? 5 : 4) : y >= x ? (v[1] < 0 ? 3 : 2) : v[0] < 0;
  const double st[6][2] = {{-v[2], -v[1]}, {v[2], -v[1]}, {v[0], v[2]},
                           {v[0], -v[2]},  {v[0], -v[1]}, {-v[0], -v[1]}};
  double major = face < 2 ? x : face < 4 ? y : z;
  *s = (st[face][0] / major + 1) / 2;
  *t = (st[face][1] / major + 1) / 2;
  return face;
}

/* The texel of a cube whose centre is next to that of a texel one step off a face. */
static Colour beyond_edge(const Call *call, int level, int layer, int face, int x, int y) {
  int size = side(call->image, 0, level), best[3] = {0};
  double v[3], most = -2;
  cube_point(face, (2 * x + 1.0) / size - 1, (2 * y + 1.0) / size - 1, v);
  double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
  for (int f = 0; f < 6; f++)
    for (int j = 0; j < size; j++)
      for (int i = 0; i < size; i++) {
        double u[3];
        cube_point(f, (2 * i + 1.0) / size - 1, (2 * j + 1.0) / size - 1, u);
        double near = (u[0] * v[0] + u[1] * v[1] + u[2] * v[2]) / length /
                      sqrt(u[0] * u[0] + u[1] * u[1] + u[2] * u[2]);
        if (f != face && near > most)
          most = near, best[0] = f, best[1] = j, best[2] = i;
      }
  return compared(call, texel(call, level, layer + best[0], 0, best[1], best[2]));
}

/* The four texels of a footprint in a cube: (0,0), (1,0), (0,1), (1,1). */
static void cube_four(const Call *call, int level, int layer, int face, int x, int y,
                      Colour four[4]) {
  int size = side(call->image, 0, level), none = -1;
  for (int n = 0; n < 4; n++) {
    int i = x + n % 2, j = y + n / 2;
    bool off_x = i < 0 || i >= size, off_y = j < 0 || j >= size;
    if (off_x && off_y)
      none = n;
    else if (off_x || off_y)
      four[n] = beyond_edge(call, level, layer, face, i, j);
    else
      four[n] = compared(call, texel(call, level, layer + face, 0, j, i));
  }
  for (int k = 0; none >= 0 && k < 4; k++) {
    double sum = 0;
    for (int n = 0; n < 4; n++)
      sum += n == none ? 0 : four[n].c[k];
    four[none].c[k] = sum / 3;
  }
}

static Colour mix(Colour a, Colour b, double part) {
  Colour c;
  for (int k = 0; k < 4; k++)
    c.c[k] = part == 0 ? a.c[k] : part == 1 ? b.c[k] : a.c[k] * (1 - part) + b.c[k] * part;
  return c;
}

static int layer_of(const Call *call) {
  if (!call->arrayed)
    return 0;
  int layers = (int)call->image->layers / (call->dim == SpvDimCube ? 6 : 1);
  int layer = (int)floor(call->layer + 0.5);
  if (call->layer + 0.5 == floor(call->layer + 0.5) && layer % 2) /* ties to even */
    layer--;
  layer = layer < 0 ? 0 : layer >= layers ? layers - 1 : layer;
  return call->dim == SpvDimCube ? 6 * layer : layer;
}

static Colour in_level(const Call *call, int level, bool linear) {
  int layer = layer_of(call), face = 0, axes = call->dim == SpvDim1D ? 1 : 2;
  double at[3] = {call->at[0], call->at[1], call->at[2]};
  if (call->dim == SpvDim3D)
    axes = 3;
  if (call->dim == SpvDimCube)
    face = cube_face(call->at, &at[0], &at[1]);
  int low[3] = {0};
  double part[3] = {0};
  for (int n = 0; n < axes; n++) {
    double u = call->sampler->as->unnormalized ? at[n] : at[n] * side(call->image, n, level);
    double from = u - (linear ? 0.5 : 0);
    low[n] = (int)floor(from) + call->offset[n];
    part[n] = from - floor(from);
  }
  if (!linear)
    return flat(call, level, layer + face, low);
  if (call->dim == SpvDimCube) {
    Colour four[4];
    cube_four(call, level, layer, face, low[0], low[1], four);
    return mix(mix(four[0], four[1], part[0]), mix(four[2], four[3], part[0]), part[1]);
  }
  Colour planes[2];
  for (int z = 0; z < (axes == 3 ? 2 : 1); z++) {
    Colour lines[2];
    for (int y = 0; y < (axes >= 2 ? 2 : 1); y++) {
      int a[3] = {low[0], low[1] + y, low[2] + z}, b[3] = {low[0] + 1, low[1] + y, low[2] + z};
      lines[y] = mix(flat(call, level, layer, a), flat(call, level, layer, b), part[0]);
    }
    planes[z] = axes >= 2 ? mix(lines[0], lines[1], part[1]) : lines[0];
  }
  return axes == 3 ? mix(planes[0], planes[1], part[2]) : planes[0];
}

/* By differences, not by the formula: how far the position on the face moves for a small step. */
static void cube_step(const Call *call, const double d[3], double st[2]) {
  const double small = 1e-7;
  double s0, t0, v[3];
  int face = cube_face(call->at, &s0, &t0);
  for (int n = 0; n < 3; n++)
    v[n] = call->at[n] + small * d[n];
  const double all[6][2] = {{-v[2], -v[1]}, {v[2], -v[1]}, {v[0], v[2]},
                            {v[0], -v[2]},  {v[0], -v[1]}, {-v[0], -v[1]}};
  double major = fabs(face < 2 ? v[0] : face < 4 ? v[1] : v[2]);
  st[0] = ((all[face][0] / major + 1) / 2 - s0) / small;
  st[1] = ((all[face][1] / major + 1) / 2 - t0) / small;
}

static double level_of_detail(const Call *call) {
  double lod = call->lod;
  if (call->gradients) {
    double rho[2] = {0};
    for (int way = 0; way < 2; way++) {
      double d[3], st[2];
      memcpy(d, way ? call->dy : call->dx, sizeof d);
      int axes = call->dim == SpvDim1D ? 1 : call->dim == SpvDim3D ? 3 : 2;
      if (call->dim == SpvDimCube) {
        cube_step(call, d, st);
        d[0] = st[0], d[1] = st[1];
      }
      for (int n = 0; n < axes; n++)
        rho[way] = hypot(rho[way], d[n] * side(call->image, n, 0));
    }
    lod = log2(rho[0] > rho[1] ? rho[0] : rho[1]);
  }
  lod += call->bias + (double)call->sampler->lod_bias;
  double low = (double)call->sampler->as->min_lod, high = (double)call->sampler->as->max_lod;
  low = low > call->min_lod ? low : call->min_lod;
  lod = lod < low ? low : lod;
  return lod > high ? high : lod;
}

static Colour sampled(const Call *call, double lod) {
  const EmuSamplerState *as = call->sampler->as;
  if (as->unnormalized)
    return in_level(call, 0, as->mag_filter == 1);
  bool linear = (lod > 0 ? as->min_filter : as->mag_filter) == 1;
  double last = (int)call->image->levels - 1;
  double level = lod < 0 ? 0 : lod > last ? last : lod;
  if (!call->sampler->linear_levels) {
    int nearest = (int)floor(level);
    return in_level(call, level - nearest > 0.5 ? nearest + 1 : nearest, linear);
  }
  int high = (int)level;
  return mix(in_level(call, high, linear),
             in_level(call, high + 1 > last ? high : high + 1, linear), level - high);
}

/* ---- random calls ---------------------------------------------------------------------------- */

static const struct {
  SpvDim dim;
  bool arrayed;
  uint32_t width, height, depth, layers, levels;
} shapes[] = {
    {SpvDim1D, false, 13, 1, 1, 1, 4},  {SpvDim1D, true, 6, 1, 1, 4, 2},
    {SpvDim2D, false, 9, 7, 1, 1, 4},   {SpvDim2D, true, 5, 4, 1, 3, 3},
    {SpvDim2D, false, 1, 1, 1, 1, 1},   {SpvDim3D, false, 5, 6, 4, 1, 3},
    {SpvDimCube, false, 4, 4, 1, 6, 3}, {SpvDimCube, true, 5, 5, 1, 12, 3},
    {SpvDimCube, false, 1, 1, 1, 6, 1},
};
enum { SHAPES = sizeof shapes / sizeof *shapes, LANES = 37 };

static const char *const colours[] = {
    "R32G32B32A32_SFLOAT", "R8G8B8A8_UNORM",          "R8_UNORM", "R16G16_SFLOAT", "B8G8R8A8_SRGB",
    "R16G16B16_SNORM",     "A2B10G10R10_UNORM_PACK32"};
static const char *const depths[] = {"D32_SFLOAT", "D16_UNORM"};

static EmuSampler random_sampler(EmuSamplerState *as, bool unnormalized) {
  *as = (EmuSamplerState){.mag_filter = below(2),
                          .min_filter = below(2),
                          .address_mode_u = below(5),
                          .address_mode_v = below(5),
                          .address_mode_w = below(5),
                          .border_color = below(6),
                          .min_lod = chance(3) ? (float)between(-1, 2) : 0,
                          .max_lod = chance(3) ? (float)between(2, 4) : 1000,
                          .compare_op = below(8)};
  if (unnormalized) {
    as->unnormalized = true;
    as->min_filter = as->mag_filter;
    as->address_mode_u = as->address_mode_v = 2 + below(2);
    as->min_lod = as->max_lod = 0;
  }
  return (EmuSampler){
      .as = as, .linear_levels = below(2), .lod_bias = chance(3) ? (float)between(-2, 2) : 0};
}

static double set(ImageWorld *w, EmuArgument argument, uint32_t n, uint32_t lane, double value) {
  if (argument.at == EMU_NO_ROW || n >= argument.count)
    return 0;
  value = (double)(float)value;
  image_set(w, argument, n, lane, value);
  return value;
}

/* Random arguments of a lane, as the reference sees them. */
static Call random_call(ImageWorld *w, const EmuImageOp *op, uint32_t lane) {
  uint32_t image = below(w->images.image_count), sampler = below(w->images.sampler_count);
  Call call = {.image = &w->images.images[image],
               .sampler = &w->images.samplers[sampler],
               .dim = op->dim,
               .arrayed = op->arrayed,
               .compare = op->dref.at != EMU_NO_ROW,
               .gradients = op->grad_x.at != EMU_NO_ROW,
               .min_lod = -1e30};
  image_set_bits(w, op->image, 0, lane, image);
  image_set_bits(w, op->sampler, 0, lane, sampler);
  uint32_t axes = op->dim == SpvDim1D ? 1 : op->dim == SpvDim2D ? 2 : 3;
  double scale = call.sampler->as->unnormalized ? call.image->width : 1;
  double q = op->projected ? between(0.5, 2) : 1;
  if (op->projected)
    q = set(w, op->coordinate, axes, lane, q);
  for (uint32_t n = 0; n < axes; n++) {
    double v = op->dim == SpvDimCube ? between(-1, 1) : between(-2, 3) * scale;
    if (op->dim == SpvDimCube && chance(4))
      v = below(2) ? 1 : -1; /* edges and corners */
    call.at[n] = set(w, op->coordinate, n, lane, v) / q;
    call.dx[n] = set(w, op->grad_x, n, lane, between(-1, 1));
    call.dy[n] = set(w, op->grad_y, n, lane, between(-1, 1));
    call.offset[n] = (int)set(w, op->offset, n, lane, (double)below(16) - 8);
  }
  if (op->dim == SpvDimCube && call.at[0] == 0 && call.at[1] == 0 && call.at[2] == 0)
    call.at[2] = set(w, op->coordinate, 2, lane, 1);
  if (op->arrayed)
    call.layer = set(w, op->coordinate, axes, lane, between(-1, 5));
  call.dref = set(w, op->dref, 0, lane, between(-0.5, 1.5)) / q;
  call.lod = set(w, op->lod, 0, lane, between(-1, 5));
  call.bias = set(w, op->bias, 0, lane, between(-1, 3));
  if (op->min_lod.at != EMU_NO_ROW)
    call.min_lod = set(w, op->min_lod, 0, lane, between(-1, 3));
  return call;
}

static bool close_to(double a, double b) {
  return fabs(a - b) <= 2e-6 * (1 + fabs(b));
}

/* A world of two images of one shape and three samplers. */
typedef struct Setting {
  ImageWorld w;
  EmuImage images[2];
  EmuSamplerState as[3];
  EmuSampler samplers[3];
  bool unnormalized, compare;
} Setting;

static void setting_make(Setting *t, uint32_t shape, bool unnormalized, bool compare) {
  for (uint32_t n = 0; n < 2; n++) {
    const char *format = compare ? depths[below(2)] : colours[below(7)];
    t->images[n] =
        image_random(format,
                     (ImageSize){shapes[shape].width, shapes[shape].height, shapes[shape].depth,
                                 shapes[shape].layers, unnormalized ? 1 : shapes[shape].levels, 1},
                     &seed);
  }
  for (uint32_t n = 0; n < 3; n++)
    t->samplers[n] = random_sampler(&t->as[n], unnormalized);
  image_world_make(&t->w, LANES, (EmuImages){t->images, 2, t->samplers, 3});
}

static void setting_free(Setting *t) {
  world_free(&t->w.w);
  free(t->images[0].bytes);
  free(t->images[1].bytes);
}

static void agrees_with_reference(void **unused) {
  (void)unused;
  for (uint32_t trial = 0; trial < 1500; trial++) {
    uint32_t shape = trial % SHAPES;
    SpvDim dim = shapes[shape].dim;
    bool plain = !shapes[shape].arrayed && dim != SpvDimCube;
    bool unnormalized = plain && dim != SpvDim3D && chance(5), compare = chance(3);
    uint64_t before = seed;
    Setting t;
    setting_make(&t, shape, unnormalized, compare);
    EmuImageOp op = image_op(&t.w, SpvOpImageSampleExplicitLod, dim, EMU_F32, compare ? 1 : 4);
    op.arrayed = shapes[shape].arrayed;
    op.projected = plain && chance(3);
    op.sampler = image_argument(&t.w, EMU_U32, 1);
    op.coordinate = image_argument(&t.w, EMU_F32, 4);
    if (compare)
      op.dref = image_argument(&t.w, EMU_F32, 1);
    uint32_t how = below(3);
    if (how == 0 && !unnormalized)
      op.bias = image_argument(&t.w, EMU_F32, 1);
    else if (how == 1)
      op.lod = image_argument(&t.w, EMU_F32, 1);
    else if (!unnormalized) {
      op.grad_x = image_argument(&t.w, EMU_F32, 3);
      op.grad_y = image_argument(&t.w, EMU_F32, 3);
    }
    if (dim != SpvDimCube && chance(3))
      op.offset = image_argument(&t.w, EMU_U32, 3);
    if (how != 1 && chance(3))
      op.min_lod = image_argument(&t.w, EMU_F32, 1);
    EmuIns ins = image_ins(&t.w, op);
    Call calls[LANES];
    for (uint32_t lane = 0; lane < LANES; lane++)
      calls[lane] = random_call(&t.w, &op, lane);
    emu_image_sample(&t.w.w.lanes, &ins);
    for (uint32_t lane = 0; lane < LANES; lane++) {
      double lod = level_of_detail(&calls[lane]);
      /* The reference's derivatives on cubes are not exact: if that may make a difference, either
       * result is accepted. */
      Colour one = sampled(&calls[lane], lod - 1e-5), two = sampled(&calls[lane], lod + 1e-5);
      if (!calls[lane].gradients)
        one = two = sampled(&calls[lane], lod);
      for (uint32_t k = 0; k < op.components; k++) {
        double got = image_got(&t.w, &op, k, lane), a = one.c[k], b = two.c[k];
        double slack = calls[lane].gradients ? 1e-3 : 0;
        if (!close_to(got, a) && !close_to(got, b) &&
            !(slack > 0 && got > fmin(a, b) - slack && got < fmax(a, b) + slack &&
              fabs(a - b) < slack))
          fail_msg("seed %llu: shape %u, lane %u, component %u: %.9g, not %.9g (lod %g)",
                   (unsigned long long)before, shape, lane, k, got, a, lod);
      }
    }
    setting_free(&t);
  }
}

static void gathers(void **unused) {
  (void)unused;
  for (uint32_t trial = 0; trial < 500; trial++) {
    static const uint32_t which[] = {2, 3, 4, 6, 7, 8};
    uint32_t shape = which[trial % 6];
    SpvDim dim = shapes[shape].dim;
    bool compare = chance(3), many = dim == SpvDim2D && chance(2);
    Setting t;
    setting_make(&t, shape, false, compare);
    EmuImageOp op = image_op(&t.w, SpvOpImageGather, dim, EMU_F32, 4);
    op.arrayed = shapes[shape].arrayed;
    op.sampler = image_argument(&t.w, EMU_U32, 1);
    op.coordinate = image_argument(&t.w, EMU_F32, 4);
    if (compare)
      op.dref = image_argument(&t.w, EMU_F32, 1);
    else
      op.component = image_argument(&t.w, EMU_U32, 1);
    if (many)
      op.offsets = image_argument(&t.w, EMU_U32, 8);
    else if (dim == SpvDim2D)
      op.offset = image_argument(&t.w, EMU_U32, 2);
    EmuIns ins = image_ins(&t.w, op);
    Call calls[LANES];
    int offsets[LANES][8];
    uint32_t component[LANES];
    for (uint32_t lane = 0; lane < LANES; lane++) {
      calls[lane] = random_call(&t.w, &op, lane);
      component[lane] = compare ? 0 : (uint32_t)set(&t.w, op.component, 0, lane, below(4));
      for (uint32_t n = 0; n < 8; n++)
        offsets[lane][n] = (int)set(&t.w, op.offsets, n, lane, (double)below(16) - 8);
    }
    emu_image_gather(&t.w.w.lanes, &ins);
    for (uint32_t lane = 0; lane < LANES; lane++) {
      const Call *call = &calls[lane];
      int layer = layer_of(call), face = 0;
      double at[2] = {call->at[0], call->at[1]};
      if (dim == SpvDimCube)
        face = cube_face(call->at, &at[0], &at[1]);
      int x = (int)floor(at[0] * side(call->image, 0, 0) - 0.5);
      int y = (int)floor(at[1] * side(call->image, 1, 0) - 0.5);
      Colour four[4]; /* (0,1), (1,1), (1,0), (0,0) */
      if (dim == SpvDimCube) {
        Colour square[4];
        cube_four(call, 0, layer, face, x, y, square);
        four[0] = square[2], four[1] = square[3], four[2] = square[1], four[3] = square[0];
      } else {
        static const int dx[4] = {0, 1, 1, 0}, dy[4] = {1, 1, 0, 0};
        for (int n = 0; n < 4; n++) {
          int to[3] = {x + (many ? offsets[lane][2 * n] : dx[n] + call->offset[0]),
                       y + (many ? offsets[lane][2 * n + 1] : dy[n] + call->offset[1]), 0};
          four[n] = flat(call, 0, layer, to);
        }
      }
      for (uint32_t n = 0; n < 4; n++)
        if (!close_to(image_got(&t.w, &op, n, lane), four[n].c[component[lane]]))
          fail_msg("shape %u, lane %u, texel %u: %g, not %g", shape, lane, n,
                   image_got(&t.w, &op, n, lane), four[n].c[component[lane]]);
    }
    setting_free(&t);
  }
}

/* Integers are never filtered, and keep their bits; also at the border. */
static void integers(void **unused) {
  (void)unused;
  const uint64_t texels[2] = {0x8123456789abcdef, 0xfedcba9876543210};
  EmuImage image = {emu_format_find("R64_UINT"), NULL, 16, 2, 1, 1, 1, 1, 1, {0}};
  image.bytes = (uint8_t *)(uintptr_t)texels;
  EmuSamplerState as = {.mag_filter = 1, .address_mode_u = 3, .border_color = 5, .max_lod = 1000};
  EmuSampler sampler = {.as = &as, .linear_levels = true, .lod_bias = 0};
  ImageWorld w;
  image_world_make(&w, 4, (EmuImages){&image, 1, &sampler, 1});
  EmuImageOp op = image_op(&w, SpvOpImageSampleExplicitLod, SpvDim1D, EMU_U64, 4);
  op.sampler = image_argument(&w, EMU_U32, 1);
  op.coordinate = image_argument(&w, EMU_F32, 1);
  EmuIns ins = image_ins(&w, op);
  static const double at[4] = {0.3, 0.7, 1.2, -0.1};
  for (uint32_t lane = 0; lane < 4; lane++)
    image_set(&w, op.coordinate, 0, lane, at[lane]);
  emu_image_sample(&w.w.lanes, &ins);
  assert_int_equal(image_got_bits(&w, &op, 0, 0), texels[0]);
  assert_int_equal(image_got_bits(&w, &op, 0, 1), texels[1]);
  assert_int_equal(image_got_bits(&w, &op, 0, 2), 1);
  assert_int_equal(image_got_bits(&w, &op, 0, 3), 1);
  assert_int_equal(image_got_bits(&w, &op, 1, 2), 0);
  assert_int_equal(image_got_bits(&w, &op, 3, 0), 1);
  world_free(&w.w);
}

/* Depths are compared as 32-bit floats. */
static void depths_are_floats(void **unused) {
  (void)unused;
  uint16_t texel = 21846; /* / 65535 is not a float */
  EmuImage image = {emu_format_find("D16_UNORM"), (uint8_t *)&texel, 2, 1, 1, 1, 1, 1, 1, {0}};
  EmuSamplerState as = {.compare = true, .compare_op = 2, .max_lod = 1000};
  EmuSampler sampler = {.as = &as, .linear_levels = false, .lod_bias = 0};
  ImageWorld w;
  image_world_make(&w, 1, (EmuImages){&image, 1, &sampler, 1});
  EmuImageOp op = image_op(&w, SpvOpImageSampleDrefExplicitLod, SpvDim2D, EMU_F32, 1);
  op.sampler = image_argument(&w, EMU_U32, 1);
  op.coordinate = image_argument(&w, EMU_F32, 2);
  op.dref = image_argument(&w, EMU_F32, 1);
  EmuIns ins = image_ins(&w, op);
  image_set(&w, op.dref, 0, 0, texel / 65535.0);
  emu_image_sample(&w.w.lanes, &ins);
  assert_true(image_got(&w, &op, 0, 0) == 1);
  world_free(&w.w);
}

/* With NaN and very large coordinates any result is accepted; unbound images give zeros. */
static void odd_numbers(void **unused) {
  (void)unused;
  static const double odd[] = {NAN, INFINITY, -INFINITY, 1e30, -1e30, 0};
  for (uint32_t shape = 0; shape < SHAPES; shape++) {
    Setting t;
    setting_make(&t, shape, false, false);
    EmuImageOp op = image_op(&t.w, SpvOpImageSampleExplicitLod, shapes[shape].dim, EMU_F32, 4);
    op.arrayed = shapes[shape].arrayed;
    op.sampler = image_argument(&t.w, EMU_U32, 1);
    op.coordinate = image_argument(&t.w, EMU_F32, 4);
    op.lod = image_argument(&t.w, EMU_F32, 1);
    op.bias = image_argument(&t.w, EMU_F32, 1);
    EmuIns ins = image_ins(&t.w, op);
    uint32_t unbound = 0;
    for (uint32_t lane = 0; lane < LANES; lane++) {
      for (uint32_t n = 0; n < 4; n++)
        image_set(&t.w, op.coordinate, n, lane, odd[below(6)]);
      image_set(&t.w, op.lod, 0, lane, odd[below(6)]);
      image_set(&t.w, op.bias, 0, lane, odd[below(6)]);
      uint32_t image = below(3);
      image_set_bits(&t.w, op.image, 0, lane, image);
      image_set_bits(&t.w, op.sampler, 0, lane, image == 0 ? 3 : below(3));
      unbound += image != 1;
    }
    emu_image_sample(&t.w.w.lanes, &ins);
    assert_int_equal(t.w.w.lanes.counts.out_of_bounds, unbound);
    setting_free(&t);
  }
}

int main(void) {
  seed = unit_seed();
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(agrees_with_reference),
      cmocka_unit_test(gathers),
      cmocka_unit_test(integers),
      cmocka_unit_test(depths_are_floats),
      cmocka_unit_test(odd_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
