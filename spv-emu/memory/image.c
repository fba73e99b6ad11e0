/* SPDX-License-Identifier: Apache-2.0 */
/* image: image instructions, lane by lane: arguments from rows, results to rows. Image and sampler
 * may differ between lanes. A lane without an image or sampler, or with a texel outside of the
 * image, counts as an access out of bounds. Image instructions do not count as memory
 * instructions. */
#include "spv-emu/memory/image.h"

#include "spv-emu/cost/transactions.h"

#include "spv-emu/memory/race.h"
#include "spv-emu/subgroup/quad.h"

#include <math.h>
#include <string.h>

/* ---- arguments and results ------------------------------------------------------------------- */

static const EmuImageOp *op_of(const EmuLanes *s, const EmuIns *i) {
  return &s->program->image_ops.at[i->x];
}

/* Describes the scalar of one lane in a row as if it were a number in a script's buffer. */
static EmuField field_of(EmuKind kind, EmuFormatKind as) {
  uint8_t bytes = (uint8_t)emu_kind_bytes(kind);
  return (EmuField){.unit = bytes, .bits = (uint8_t)(8 * bytes), .kind = (uint8_t)as};
}

EmuNumber emu_argument(const EmuLanes *s, const EmuIns *i, EmuArgument argument, uint32_t n,
                       uint32_t lane) {
  EmuKind kind = argument.kind;
  EmuField field = field_of(kind, emu_kind_is_float(kind) ? EMU_FORMAT_FLOAT : EMU_FORMAT_SINT);
  uint32_t row = s->program->rows.at[i->list + argument.at + n];
  return emu_field_get(&field, s->file + row + (size_t)lane * field.unit);
}

void emu_image_result(EmuLanes *s, const EmuIns *i, uint32_t n, uint32_t lane, EmuNumber value) {
  EmuKind kind = op_of(s, i)->kind;
  EmuField field = field_of(kind, emu_kind_is_float(kind) ? EMU_FORMAT_FLOAT : EMU_FORMAT_UINT);
  uint32_t row = s->program->rows.at[i->list + n];
  emu_field_set(&field, value, s->file + row + (size_t)lane * field.unit);
}

static bool given(EmuArgument argument) {
  return argument.at != EMU_NO_ROW;
}

/* Component n of an argument; 0 if it is not given. */
static double real(const EmuLanes *s, const EmuIns *i, EmuArgument argument, uint32_t n,
                   uint32_t lane) {
  if (!given(argument) || n >= argument.count)
    return 0;
  EmuNumber value = emu_argument(s, i, argument, n, lane);
  return emu_kind_is_float(argument.kind) ? value.d : (double)value.i;
}

/* The same for integers: the lod of OpImageFetch and similar, offsets, samples. */
static int64_t whole(const EmuLanes *s, const EmuIns *i, EmuArgument argument, uint32_t n,
                     uint32_t lane) {
  if (!given(argument) || n >= argument.count)
    return 0;
  return emu_argument(s, i, argument, n, lane).i;
}

const EmuImage *emu_image_of(EmuLanes *s, const EmuIns *i, uint32_t lane) {
  uint64_t index = (uint64_t)emu_argument(s, i, op_of(s, i)->image, 0, lane).i;
  const EmuImage *image = index < s->images->image_count ? &s->images->images[index] : NULL;
  if (image && image->format && image->bytes && image->levels)
    return image;
  emu_dropped(s, lane, "no image is bound");
  return NULL;
}

static const EmuSampler *sampler_of(EmuLanes *s, const EmuIns *i, uint32_t lane) {
  uint64_t index = (uint64_t)emu_argument(s, i, op_of(s, i)->sampler, 0, lane).i;
  const EmuSampler *sampler = index < s->images->sampler_count ? &s->images->samplers[index] : NULL;
  if (sampler && sampler->as)
    return sampler;
  emu_dropped(s, lane, "no sampler is bound");
  return NULL;
}

static void results(EmuLanes *s, const EmuIns *i, uint32_t lane, const EmuNumber texel[4]) {
  for (uint32_t n = 0; n < op_of(s, i)->components; n++)
    emu_image_result(s, i, n, lane, texel[n]);
}

/* ---- sampling -------------------------------------------------------------------------------- */

/* A coordinate of a lane, divided if it is projected. */
static double coordinate_of(const EmuLanes *s, const EmuIns *i, uint32_t n, uint32_t lane) {
  const EmuImageOp *op = op_of(s, i);
  double divisor = op->projected ? real(s, i, op->coordinate, emu_dim_axes(op->dim), lane) : 1;
  return real(s, i, op->coordinate, n, lane) / divisor;
}

/* Takes the differences in the lane's quad as its gradients. */
static void take_gradients(const EmuLanes *s, const EmuIns *i, uint32_t lane, EmuSample *q) {
  uint32_t first = lane & ~3u;
  q->gradients = true;
  for (uint32_t n = 0; n < emu_dim_axes(op_of(s, i)->dim); n++) {
    double origin = coordinate_of(s, i, n, first);
    q->dx[n] = coordinate_of(s, i, n, first + 1) - origin;
    q->dy[n] = coordinate_of(s, i, n, first + 2) - origin;
  }
}

/* Sets up the sample of a lane. False: the lane has no image or no sampler. */
static bool sample_of(EmuLanes *s, const EmuIns *i, uint32_t lane, EmuSample *q) {
  const EmuImageOp *op = op_of(s, i);
  q->image = emu_image_of(s, i, lane);
  q->sampler = q->image ? sampler_of(s, i, lane) : NULL;
  if (!q->sampler)
    return false;
  q->lanes = s;
  q->dim = op->dim;
  q->arrayed = op->arrayed;
  q->whole = !emu_kind_is_float(op->kind);
  q->compare = given(op->dref);
  q->extend = op->extend;
  uint32_t axes = emu_dim_axes(op->dim);
  double divisor = op->projected ? real(s, i, op->coordinate, axes, lane) : 1;
  for (uint32_t n = 0; n < axes; n++) {
    q->at[n] = coordinate_of(s, i, n, lane);
    q->dx[n] = real(s, i, op->grad_x, n, lane);
    q->dy[n] = real(s, i, op->grad_y, n, lane);
    q->offset[n] = whole(s, i, op->offset, n, lane);
  }
  q->layer = op->arrayed ? real(s, i, op->coordinate, axes, lane) : 0;
  q->dref = real(s, i, op->dref, 0, lane) / divisor;
  q->gradients = given(op->grad_x);
  if (op->implicit)
    take_gradients(s, i, lane, q);
  q->lod = real(s, i, op->lod, 0, lane);
  q->bias = real(s, i, op->bias, 0, lane);
  q->min_lod = given(op->min_lod) ? real(s, i, op->min_lod, 0, lane) : -(double)INFINITY;
  return true;
}

void emu_image_query_lod(EmuLanes *s, const EmuIns *i) {
  emu_quad_check(s);
  for (EMU_EACH_LANE(lane, &s->on, s->words)) {
    EmuSample q = {0};
    double level = 0, lod = 0;
    if (sample_of(s, i, lane, &q))
      emu_sample_lod(&q, &level, &lod);
    emu_image_result(s, i, 0, lane, (EmuNumber){.d = level});
    emu_image_result(s, i, 1, lane, (EmuNumber){.d = lod});
  }
}

void emu_image_sample(EmuLanes *s, const EmuIns *i) {
  if (op_of(s, i)->implicit)
    emu_quad_check(s);
  emu_seen_begin(s);
  for (EMU_EACH_LANE(lane, &s->on, s->words)) {
    emu_seen_lane(s, lane);
    EmuSample q = {0};
    EmuNumber texel[4] = {{0}};
    if (sample_of(s, i, lane, &q))
      emu_sample(&q, texel);
    if (q.sampler && q.sampler->inside && !emu_sample_inside(&q))
      emu_dropped(s, lane, "the sampler has CLK_ADDRESS_NONE, the coordinates are outside");
    results(s, i, lane, texel);
  }
  emu_count_image(s);
}

void emu_image_gather(EmuLanes *s, const EmuIns *i) {
  const EmuImageOp *op = op_of(s, i);
  emu_seen_begin(s);
  for (EMU_EACH_LANE(lane, &s->on, s->words)) {
    emu_seen_lane(s, lane);
    EmuSample q = {0};
    EmuNumber texel[4] = {{0}};
    int64_t offsets[4][2];
    for (uint32_t n = 0; n < 8; n++)
      offsets[n / 2][n % 2] = whole(s, i, op->offsets, n, lane);
    if (sample_of(s, i, lane, &q))
      emu_gather(&q, (uint32_t)whole(s, i, op->component, 0, lane),
                 given(op->offsets) ? (const int64_t(*)[2])offsets : NULL, texel);
    results(s, i, lane, texel);
  }
  emu_count_image(s);
}

/* ---- single texels --------------------------------------------------------------------------- */

/* A coordinate, limited so that adding an offset cannot overflow. */
static int64_t coordinate(const EmuLanes *s, const EmuIns *i, uint32_t n, uint32_t lane) {
  const EmuImageOp *op = op_of(s, i);
  int64_t most = (int64_t)1 << 40, v = whole(s, i, op->coordinate, n, lane);
  return v > most || v < -most ? -most : v;
}

/* The texel of a lane; NULL: it is outside of the image, which has been counted and noted. */
static uint8_t *texel_of(EmuLanes *s, const EmuIns *i, const EmuImage *image, uint32_t lane,
                         const char *verb) {
  const EmuImageOp *op = op_of(s, i);
  /* Cubes are layers here: the third coordinate is the face, and in arrays 6 * layer + face. */
  uint32_t axes = op->dim == SpvDimCube ? 2 : emu_dim_axes(op->dim);
  int64_t xyz[3] = {0};
  for (uint32_t n = 0; n < axes; n++)
    xyz[n] = coordinate(s, i, n, lane) + (int32_t)whole(s, i, op->offset, n, lane);
  EmuTexelAt at = {.x = xyz[0], .y = xyz[1], .z = xyz[2]};
  if (op->arrayed || op->dim == SpvDimCube)
    at.layer = coordinate(s, i, axes, lane);
  at.level = whole(s, i, op->lod, 0, lane);
  at.sample = whole(s, i, op->sample, 0, lane);
  uint8_t *place = emu_texel_place(image, at);
  if (place)
    emu_seen_add_texel(s, image->bytes, place, image->format->bytes);
  else
    emu_dropped(s, lane,
                "%s at (%lld, %lld, %lld), layer %lld, level %lld, sample %lld is outside of the "
                "image",
                verb, (long long)at.x, (long long)at.y, (long long)at.z, (long long)at.layer,
                (long long)at.level, (long long)at.sample);
  return place;
}

void emu_image_read(EmuLanes *s, const EmuIns *i) {
  const EmuImageOp *op = op_of(s, i);
  bool integer = !emu_kind_is_float(op->kind);
  emu_seen_begin(s);
  for (EMU_EACH_LANE(lane, &s->on, s->words)) {
    emu_seen_lane(s, lane);
    EmuNumber texel[4] = {{0}};
    const EmuImage *image = emu_image_of(s, i, lane);
    const uint8_t *place = image ? texel_of(s, i, image, lane, "image read") : NULL;
    if (place) {
      emu_race(s, lane, place, image->format->bytes, EMU_RACE_READ);
      emu_texel_load(image, place, integer, op->extend, texel);
    } else if (image)
      emu_texel_outside(image, integer, texel);
    if (image)
      emu_texel_swizzle(image, integer, texel);
    results(s, i, lane, texel);
  }
  emu_count_image(s);
}

void emu_image_write(EmuLanes *s, const EmuIns *i) {
  const EmuImageOp *op = op_of(s, i);
  bool integer = !emu_kind_is_float(op->kind);
  emu_seen_begin(s);
  for (EMU_EACH_LANE(lane, &s->on, s->words)) {
    emu_seen_lane(s, lane);
    const EmuImage *image = emu_image_of(s, i, lane);
    uint8_t *place = image ? texel_of(s, i, image, lane, "image write") : NULL;
    EmuNumber texel[4] = {{0}};
    for (uint32_t n = 0; n < op->texel.count && n < 4; n++)
      texel[n] = emu_argument(s, i, op->texel, n, lane);
    if (place) {
      emu_race(s, lane, place, image->format->bytes, EMU_RACE_WRITE);
      emu_texel_store(image, place, integer, texel);
    }
  }
  emu_count_image(s);
}

/* ---- atomics --------------------------------------------------------------------------------- */

void emu_image_locate(EmuLanes *s, const EmuIns *i, uint32_t bytes, bool written, uint8_t **place) {
  (void)written;
  emu_seen_begin(s);
  for (EMU_EACH_LANE(lane, &s->on, s->words)) {
    emu_seen_lane(s, lane);
    const EmuImage *image = emu_image_of(s, i, lane);
    place[lane] = image ? texel_of(s, i, image, lane, "image atomic") : NULL;
    if (place[lane] && image->format->bytes != bytes) {
      emu_dropped(s, lane, "atomic of %u bytes on an image of format %s", bytes,
                  image->format->name);
      place[lane] = NULL;
    }
    if (place[lane])
      emu_race(s, lane, place[lane], bytes, EMU_RACE_ATOMIC);
  }
  emu_count_image(s);
}
