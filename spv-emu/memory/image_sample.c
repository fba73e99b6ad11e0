/* SPDX-License-Identifier: Apache-2.0 */
/* image_sample: samples an image at one point, after Vulkan 1.3, chapter "Image Operations": level
 * of detail, cube faces, wrapping, border colours, depth comparison, filtering, in that order and
 * by the formulas given there, in double precision. What the specification leaves open is done as
 * it recommends: no anisotropy, seamless cubes whose corner texels are the average of the three
 * around them.
 *
 * A *footprint* is the block of 2, 4 or 8 texels that linear filtering interpolates, or that a
 * gather returns. */
#include "spv-emu/memory/image.h"

#include "spv-emu/cost/transactions.h"

#include <math.h>
#include <string.h>

/* ---- numbers --------------------------------------------------------------------------------- */

/* Limits a coordinate so that adding a texel offset cannot overflow; NaN becomes some number. */
static double bounded(double v) {
  const double most = 1e12;
  return v > -most ? (v < most ? v : most) : -most;
}
static int64_t floor_of(double v) {
  return (int64_t)floor(bounded(v));
}
static int64_t clamp(int64_t v, int64_t low, int64_t high) {
  return v > high ? high : v < low ? low : v;
}

/* ---- wrapping -------------------------------------------------------------------------------- */

/* The values of VkSamplerAddressMode. */
enum { REPEAT, MIRRORED_REPEAT, CLAMP_TO_EDGE, CLAMP_TO_BORDER, MIRROR_CLAMP_TO_EDGE };

static int64_t modulo(int64_t v, int64_t n) {
  int64_t rest = v % n;
  return rest < 0 ? rest + n : rest;
}
static int64_t mirror(int64_t v) {
  return v >= 0 ? v : -(1 + v);
}

/* The wrapped coordinate; -1 or `size` is the border. */
static int64_t wrap(uint32_t mode, int64_t v, int64_t size) {
  switch (mode) {
  case REPEAT:
    return modulo(v, size);
  case MIRRORED_REPEAT:
    return size - 1 - mirror(modulo(v, 2 * size) - size);
  case CLAMP_TO_BORDER:
    return clamp(v, -1, size);
  case MIRROR_CLAMP_TO_EDGE:
    return clamp(mirror(v), 0, size - 1);
  default:
    return clamp(v, 0, size - 1);
  }
}

/* ---- texels ---------------------------------------------------------------------------------- */

static void border(const EmuSample *q, EmuNumber texel[4]) {
  static const char channels[] = "RGBA";
  uint32_t colour = q->sampler->as->border_color / 2; /* float and int variants alternate */
  emu_texel_outside(q->image, q->whole, texel);
  for (uint32_t n = 0; n < 4; n++) {
    bool has = emu_format_has(q->image->format, channels[n]) ||
               (n == 0 && emu_format_has(q->image->format, 'D'));
    bool one = colour == 2 || (colour == 1 && n == 3);
    if (has && q->whole)
      texel[n].u = one;
    else if (has)
      texel[n].d = one;
  }
}

static bool compares(uint32_t op, double reference, double depth) {
  switch (op) { /* VkCompareOp */
  case 0:
    return false;
  case 1:
    return reference < depth;
  case 2:
    return reference == depth;
  case 3:
    return reference <= depth;
  case 4:
    return reference > depth;
  case 5:
    return reference != depth;
  case 6:
    return reference >= depth;
  default:
    return true;
  }
}

static void compare(const EmuSample *q, EmuNumber texel[4]) {
  double reference = q->dref, depth = (double)(float)texel[0].d;
  if (q->image->format->fields[0].kind == EMU_FORMAT_UNORM)
    reference = fmin(fmax(reference, 0), 1);
  texel[0].d = compares(q->sampler->as->compare_op, reference, depth);
  texel[1].d = texel[2].d = 0;
  texel[3].d = 1;
}

/* A texel after wrapping and depth comparison. */
static void fetch(const EmuSample *q, EmuTexelAt at, bool outside, EmuNumber texel[4]) {
  const uint8_t *place = outside ? NULL : emu_texel_place(q->image, at);
  if (place && q->lanes)
    emu_seen_add_texel(q->lanes, q->image->bytes, place, q->image->format->bytes);
  if (place)
    emu_texel_load(q->image, place, q->whole, q->extend, texel);
  else
    border(q, texel);
  if (q->compare)
    compare(q, texel);
}

/* ---- cubes ----------------------------------------------------------------------------------- */

/* Table "Cube map face and coordinate selection": by face the axes of s, t and r, and their signs.
 * Faces are +x, -x, +y, -y, +z, -z. */
static const struct Face {
  uint8_t s, t, r;
  int8_t s_sign, t_sign, r_sign;
} faces[6] = {{2, 1, 0, -1, -1, 1}, {2, 1, 0, 1, -1, -1}, {0, 2, 1, 1, 1, 1},
              {0, 2, 1, 1, -1, -1}, {0, 1, 2, 1, -1, 1},  {0, 1, 2, -1, -1, -1}};

static uint32_t face_of(const double v[3]) {
  double x = fabs(v[0]), y = fabs(v[1]), z = fabs(v[2]);
  uint32_t axis = z >= x && z >= y ? 2 : y >= x ? 1 : 0;
  return 2 * axis + (v[axis] < 0);
}

/* s and t on a face, 0 to 1. */
static void on_face(uint32_t face, const double v[3], double st[2]) {
  const struct Face *f = &faces[face];
  double r = fabs(v[f->r]);
  st[0] = 0.5 * f->s_sign * v[f->s] / r + 0.5;
  st[1] = 0.5 * f->t_sign * v[f->t] / r + 0.5;
}

/* The derivatives of s and t, section "Cube Map Derivative Transformation". */
static void derivative_on_face(uint32_t face, const double v[3], const double dv[3], double st[2]) {
  const struct Face *f = &faces[face];
  double r = fabs(v[f->r]), dr = f->r_sign * dv[f->r];
  st[0] = 0.5 * (r * f->s_sign * dv[f->s] - f->s_sign * v[f->s] * dr) / (r * r);
  st[1] = 0.5 * (r * f->t_sign * dv[f->t] - f->t_sign * v[f->t] * dr) / (r * r);
}

/* Replaces a texel one step beyond an edge of a face by the nearest one on the adjacent face. The
 * nearest texel is the one that the ray from the cube's centre through the centre of the texel
 * hits. So the coordinate along the edge changes by less than half a texel. False: the texel is
 * beyond a corner, where no face is adjacent. */
static bool fold(uint32_t *face, int64_t *x, int64_t *y, int64_t size) {
  bool off_x = *x < 0 || *x >= size, off_y = *y < 0 || *y >= size;
  if (off_x && off_y)
    return false;
  if (!off_x && !off_y)
    return true;
  const struct Face *f = &faces[*face];
  double v[3], st[2];
  v[f->s] = f->s_sign * ((2 * (double)*x + 1) / (double)size - 1);
  v[f->t] = f->t_sign * ((2 * (double)*y + 1) / (double)size - 1);
  v[f->r] = f->r_sign;
  *face = face_of(v);
  on_face(*face, v, st);
  *x = clamp(floor_of(st[0] * (double)size), 0, size - 1);
  *y = clamp(floor_of(st[1] * (double)size), 0, size - 1);
  return true;
}

/* ---- footprints ------------------------------------------------------------------------------ */

/* Where a sample is taken: a layer and coordinates in it. */
typedef struct Spot {
  uint32_t axes; /* 1 to 3 */
  double at[3];  /* normalized, unless the sampler says unnormalized */
  double dx[3], dy[3];
  uint32_t face; /* of a cube */
  int64_t layer; /* for a cube: layer of its first face */
} Spot;

static Spot spot_of(const EmuSample *q) {
  Spot spot = {.axes = emu_dim_axes(q->dim)};
  memcpy(spot.at, q->at, sizeof spot.at);
  memcpy(spot.dx, q->dx, sizeof spot.dx);
  memcpy(spot.dy, q->dy, sizeof spot.dy);
  int64_t layers = q->image->layers;
  if (q->dim == SpvDimCube) {
    spot.axes = 2;
    spot.face = face_of(q->at);
    on_face(spot.face, q->at, spot.at);
    derivative_on_face(spot.face, q->at, q->dx, spot.dx);
    derivative_on_face(spot.face, q->at, q->dy, spot.dy);
    layers /= 6;
  }
  if (q->arrayed)
    spot.layer = clamp((int64_t)nearbyint(bounded(q->layer)), 0, layers ? layers - 1 : 0);
  if (q->dim == SpvDimCube)
    spot.layer *= 6;
  return spot;
}

static void level_sizes(const EmuImage *image, uint32_t level, int64_t size[3]) {
  size[0] = emu_level_size(image->width, level);
  size[1] = emu_level_size(image->height, level);
  size[2] = emu_level_size(image->depth, level);
}

/* The texel coordinates of the spot in a level, minus `shift`: 0 or 0.5. */
static void texel_coordinates(const EmuSample *q, const Spot *spot, uint32_t level, double shift,
                              double uvw[3]) {
  int64_t size[3];
  level_sizes(q->image, level, size);
  for (uint32_t n = 0; n < spot->axes; n++)
    uvw[n] =
        bounded(q->sampler->as->unnormalized ? spot->at[n] : spot->at[n] * (double)size[n]) - shift;
}

/* The texel at integer coordinates; false: it would be beyond a cube's corner, where there is
 * none. */
static bool texel_at(const EmuSample *q, const Spot *spot, uint32_t level, const int64_t at[3],
                     bool seamless, EmuNumber texel[4]) {
  const EmuSamplerState *as = q->sampler->as;
  const uint32_t modes[3] = {as->address_mode_u, as->address_mode_v, as->address_mode_w};
  int64_t size[3], on[3] = {0};
  level_sizes(q->image, level, size);
  uint32_t face = spot->face;
  bool outside = false;
  for (uint32_t n = 0; n < spot->axes; n++) {
    on[n] = at[n];
    if (seamless)
      continue;
    on[n] = wrap(q->dim == SpvDimCube ? CLAMP_TO_EDGE : modes[n], at[n], size[n]);
    outside |= on[n] < 0 || on[n] >= size[n];
  }
  if (seamless && !fold(&face, &on[0], &on[1], size[0]))
    return false;
  EmuTexelAt to = {on[0], on[1], on[2], spot->layer + face, level, 0};
  fetch(q, to, outside, texel);
  return true;
}

/* The 2^axes texels that begin at `base`, with x running fastest. */
static void footprint(const EmuSample *q, const Spot *spot, uint32_t level, const int64_t base[3],
                      EmuNumber texels[8][4]) {
  uint32_t count = 1u << spot->axes, corner = count;
  for (uint32_t n = 0; n < count; n++) {
    int64_t at[3] = {base[0] + (n & 1), base[1] + (n >> 1 & 1), base[2] + (n >> 2)};
    if (!texel_at(q, spot, level, at, q->dim == SpvDimCube, texels[n]))
      corner = n;
  }
  if (corner == count)
    return;
  for (uint32_t k = 0; k < 4; k++) {
    double sum = 0;
    for (uint32_t n = 0; n < count; n++)
      sum += n != corner && !q->whole ? texels[n][k].d : 0;
    if (q->whole)
      texels[corner][k] = texels[corner ^ 1][k]; /* integers are not averaged, so a neighbour is
                                                    used */
    else
      texels[corner][k].d = sum / 3;
  }
}

static void sample_level(const EmuSample *q, const Spot *spot, uint32_t level, bool linear,
                         EmuNumber texel[4]) {
  double uvw[3] = {0};
  int64_t base[3] = {0};
  linear = linear && !q->whole;
  texel_coordinates(q, spot, level, linear ? 0.5 : 0, uvw);
  for (uint32_t n = 0; n < spot->axes; n++)
    base[n] = floor_of(uvw[n]) + q->offset[n];
  if (!linear) {
    texel_at(q, spot, level, base, false, texel);
    return;
  }
  EmuNumber texels[8][4];
  footprint(q, spot, level, base, texels);
  memset(texel, 0, 4 * sizeof *texel);
  for (uint32_t n = 0; n < 1u << spot->axes; n++) {
    double weight = 1;
    for (uint32_t axis = 0; axis < spot->axes; axis++) {
      double part = uvw[axis] - floor(uvw[axis]);
      weight *= n >> axis & 1 ? part : 1 - part;
    }
    /* With weight 0, even an infinite value contributes nothing. */
    for (uint32_t k = 0; weight > 0 && k < 4; k++)
      texel[k].d += weight * texels[n][k].d;
  }
}

/* ---- level of detail ------------------------------------------------------------------------- */

/* Section "Scale Factor Operation, LOD Operation and Image Level(s) Selection". */
static double unclamped_lod(const EmuSample *q, const Spot *spot) {
  double lod = q->lod;
  if (q->gradients) {
    int64_t size[3];
    double x = 0, y = 0;
    level_sizes(q->image, 0, size);
    for (uint32_t n = 0; n < spot->axes; n++) {
      x += spot->dx[n] * (double)size[n] * spot->dx[n] * (double)size[n];
      y += spot->dy[n] * (double)size[n] * spot->dy[n] * (double)size[n];
    }
    lod = log2(sqrt(fmax(x, y)));
  }
  return lod + (double)q->sampler->lod_bias + q->bias;
}

static double level_of_detail(const EmuSample *q, const Spot *spot) {
  const EmuSamplerState *as = q->sampler->as;
  double lod = unclamped_lod(q, spot);
  return fmin(fmax(lod, fmax((double)as->min_lod, q->min_lod)), (double)as->max_lod);
}

/* The level that a nearest mipmap mode takes. */
static uint32_t nearest_level(double level) {
  return (uint32_t)fmax(ceil(level + 0.5) - 1, 0);
}

void emu_sample_lod(const EmuSample *q, double *level, double *lod) {
  Spot spot = spot_of(q);
  *lod = unclamped_lod(q, &spot);
  *level = fmin(fmax(level_of_detail(q, &spot), 0), q->image->levels - 1.0);
  if (!q->sampler->linear_levels)
    *level = nearest_level(*level);
}

/* The sample of the image's own components. */
static void sample(const EmuSample *q, EmuNumber texel[4]) {
  enum { LINEAR = 1 }; /* VK_FILTER_LINEAR */
  const EmuSamplerState *as = q->sampler->as;
  Spot spot = spot_of(q);
  if (as->unnormalized) {
    sample_level(q, &spot, 0, as->mag_filter == LINEAR, texel);
    return;
  }
  double lod = level_of_detail(q, &spot), last = q->image->levels - 1.0;
  bool linear = (lod <= 0 ? as->mag_filter : as->min_filter) == LINEAR;
  double level = fmin(fmax(lod, 0), last);
  if (!q->sampler->linear_levels || q->whole) {
    sample_level(q, &spot, nearest_level(level), linear, texel);
    return;
  }
  double part = level - floor(level);
  EmuNumber next[4];
  sample_level(q, &spot, (uint32_t)level, linear, texel);
  if (part == 0)
    return;
  sample_level(q, &spot, (uint32_t)level + 1, linear, next);
  for (uint32_t k = 0; k < 4; k++)
    texel[k].d = (1 - part) * texel[k].d + part * next[k].d;
}

void emu_sample(const EmuSample *q, EmuNumber texel[4]) {
  sample(q, texel);
  emu_texel_swizzle(q->image, q->whole, texel);
}

bool emu_sample_inside(const EmuSample *q) {
  const Spot spot = spot_of(q);
  double uvw[3];
  int64_t size[3];
  texel_coordinates(q, &spot, 0, 0, uvw);
  level_sizes(q->image, 0, size);
  for (uint32_t n = 0; n < spot.axes; n++)
    if (!(uvw[n] >= 0 && uvw[n] < (double)size[n]))
      return false;
  return true;
}

/* The component of a texel that a gather returns. */
static EmuNumber gathered(const EmuSample *q, EmuNumber texel[4], uint32_t component) {
  emu_texel_swizzle(q->image, q->whole, texel);
  return texel[component & 3];
}

void emu_gather(const EmuSample *q, uint32_t component, const int64_t (*offsets)[2],
                EmuNumber texel[4]) {
  /* Indices in the footprint (x fastest) of (0, 1), (1, 1), (1, 0), (0, 0). */
  static const uint8_t order[4] = {2, 3, 1, 0};
  Spot spot = spot_of(q);
  double uvw[3] = {0};
  int64_t base[3] = {0};
  texel_coordinates(q, &spot, 0, 0.5, uvw);
  for (uint32_t n = 0; n < spot.axes; n++)
    base[n] = floor_of(uvw[n]);
  if (offsets) {
    for (uint32_t k = 0; k < 4; k++) {
      EmuNumber one[4];
      int64_t at[3] = {base[0] + offsets[k][0], base[1] + offsets[k][1], 0};
      texel_at(q, &spot, 0, at, false, one);
      texel[k] = gathered(q, one, component);
    }
    return;
  }
  EmuNumber texels[8][4];
  for (uint32_t n = 0; n < spot.axes; n++)
    base[n] += q->offset[n];
  footprint(q, &spot, 0, base, texels);
  for (uint32_t k = 0; k < 4; k++)
    texel[k] = gathered(q, texels[order[k]], component);
}
