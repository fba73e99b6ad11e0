/* SPDX-License-Identifier: Apache-2.0 */
/* draw_inputs: the inputs of a subgroup of fragments, run by run: a run is the quads of one
 * primitive (and sample) in a subgroup. Points and weights are computed once for a run, when an
 * input first needs them. */
#include "spv-emu/draw/draw.h"

#include "spv-emu/engine/half.h"
#include "spv-emu/raster/interpolate.h"
#include "spv-emu/raster/setup.h"

#include <string.h>

enum { QUAD = 4, PLACES = 3 };

typedef struct Weights {
  bool known;
  float b1[EMU_MAX_LANES], b2[EMU_MAX_LANES];
} Weights;

typedef struct Points {
  bool known;
  float x[EMU_MAX_LANES], y[EMU_MAX_LANES];
} Points;

typedef struct Run {
  const EmuFragments *f;
  EmuLanes *s;
  const EmuPrimitive *primitive;
  const uint64_t *vertex; /* vertices of the primitive's corners, in f->shaded */
  const EmuQuad *quads;
  const uint16_t (*untested)[QUAD]; /* by quad, as in EmuFragments; or NULL */
  uint32_t lanes;                   /* 4 for each quad */
  uint32_t at;                      /* the first of these lanes, in the subgroup */
  uint32_t only;                    /* if the subgroup is one lane: number of this lane in its
                                       quad */
  uint32_t samples;                 /* samples of the framebuffer */
  uint32_t sample;                  /* the sample that is shaded */
  bool per_sample;                  /* the shader runs for each sample */
  Points points[PLACES];
  Weights weights[PLACES][2];
  float values[EMU_MAX_LANES];
} Run;

/* ---- rows ------------------------------------------------------------------------------------ */

static void put_words(Run *r, uint32_t row, const void *values) {
  uint8_t *to = r->s->file + row;
  if (r->s->size == 1)
    memcpy(to, (const uint32_t *)values + r->only, 4);
  else
    memcpy(to + (size_t)r->at * 4, values, (size_t)r->lanes * 4);
}

static void put_same(Run *r, uint32_t row, EmuKind kind, uint64_t bits) {
  uint32_t bytes = emu_kind_bytes(kind), count = r->s->size == 1 ? 1 : r->lanes;
  for (uint32_t lane = 0; lane < count; lane++)
    memcpy(r->s->file + row + (size_t)(r->at + lane) * bytes, &bits, bytes);
}

static void put_double(Run *r, uint32_t row, uint32_t lane, double value) {
  if (r->s->size > 1)
    EMU_ROW(r->s, double, row)[r->at + lane] = value;
  else if (lane == r->only)
    EMU_ROW(r->s, double, row)[0] = value;
}

static void put_halves(Run *r, uint32_t row, const float *values) {
  uint16_t *to = EMU_ROW(r->s, uint16_t, row);
  if (r->s->size == 1)
    to[0] = emu_half_from_float(values[r->only]);
  for (uint32_t lane = 0; lane < r->lanes && r->s->size > 1; lane++)
    to[r->at + lane] = emu_half_from_float(values[lane]);
}

/* ---- points and weights ---------------------------------------------------------------------- */

static EmuInterpolationPoint place_of(const Run *r, uint8_t at) {
  if (r->per_sample || at == EMU_VARY_SAMPLE)
    return EMU_AT_SAMPLE;
  return at == EMU_VARY_CENTROID ? EMU_AT_CENTROID : EMU_AT_CENTER;
}

static const Points *points_at(Run *r, EmuInterpolationPoint place) {
  Points *p = &r->points[place];
  if (!p->known)
    emu_quad_points(r->quads, r->lanes / QUAD, place, r->samples, r->sample, p->x, p->y);
  p->known = true;
  return p;
}

static const Weights *weights_at(Run *r, EmuInterpolationPoint place, bool perspective) {
  Weights *w = &r->weights[place][perspective];
  const Points *p = points_at(r, place);
  if (!w->known)
    emu_barycentric(r->primitive, perspective, r->lanes, p->x, p->y, w->b1, w->b2);
  w->known = true;
  return w;
}

/* ---- inputs with a location ------------------------------------------------------------------ */

static uint64_t word_of(const Run *r, uint32_t corner, uint32_t source) {
  const EmuShaded *from = r->f->shaded;
  return from->words[r->vertex[corner] * from->ports + source];
}

static float float_of(uint64_t word, EmuKind kind) {
  float value;
  uint32_t bits = (uint32_t)word;
  if (kind == EMU_F16)
    return emu_half_to_float((uint16_t)word);
  memcpy(&value, &bits, sizeof value);
  return value;
}

static void fill_port(Run *r, const EmuPort *port, uint32_t source) {
  EmuKind kind = port->kind;
  if (source == EMU_NO_SOURCE)
    return;
  if (port->varying >= EMU_VARY_FLAT) {
    put_same(r, port->row, kind, word_of(r, port->varying - EMU_VARY_FLAT, source));
    return;
  }
  if (kind != EMU_F32 && kind != EMU_F16) {
    put_same(r, port->row, kind, word_of(r, 0, source));
    return;
  }
  const Weights *w = weights_at(r, place_of(r, port->at), port->varying == EMU_VARY_PERSPECTIVE);
  emu_interpolate(r->lanes, w->b1, w->b2, float_of(word_of(r, 0, source), kind),
                  float_of(word_of(r, 1, source), kind), float_of(word_of(r, 2, source), kind),
                  r->values);
  if (kind == EMU_F16)
    put_halves(r, port->row, r->values);
  else
    put_words(r, port->row, r->values);
}

/* ---- builtins -------------------------------------------------------------------------------- */

static uint32_t row_of(const EmuBuiltin *b, uint32_t component) {
  return b->row + component * b->stride;
}

static void fill_frag_coord(Run *r, const EmuBuiltin *b) {
  const Points *p = points_at(r, place_of(r, EMU_VARY_CENTER));
  put_words(r, row_of(b, 0), p->x);
  put_words(r, row_of(b, 1), p->y);
  emu_depth_at(r->primitive, r->lanes, p->x, p->y, r->values);
  put_words(r, row_of(b, 2), r->values);
  emu_rcp_w_at(r->primitive, r->lanes, p->x, p->y, r->values);
  put_words(r, row_of(b, 3), r->values);
}

static void fill_point_coord(Run *r, const EmuBuiltin *b) {
  const Points *p = points_at(r, place_of(r, EMU_VARY_CENTER));
  float t[EMU_MAX_LANES];
  emu_point_coord_at(r->primitive, r->lanes, p->x, p->y, r->values, t);
  put_words(r, row_of(b, 0), r->values);
  put_words(r, row_of(b, 1), t);
}

static void fill_distances(Run *r, const EmuBuiltin *b) {
  const EmuShaded *from = r->f->shaded;
  uint32_t stride = from->clip_count + from->cull_count;
  uint32_t first = b->builtin == SpvBuiltInClipDistance ? 0 : from->clip_count;
  uint32_t end = b->builtin == SpvBuiltInClipDistance ? from->clip_count : stride;
  const Weights *w = weights_at(r, place_of(r, EMU_VARY_CENTER), true);
  for (uint32_t c = 0; c < b->components && first + c < end; c++) {
    float f[3];
    for (uint32_t corner = 0; corner < 3; corner++)
      f[corner] = from->distances[r->vertex[corner] * stride + first + c];
    emu_interpolate(r->lanes, w->b1, w->b2, f[0], f[1], f[2], r->values);
    put_words(r, row_of(b, c), r->values);
  }
}

static void fill_sample_position(Run *r, const EmuBuiltin *b) {
  const EmuSpot spot = emu_sample_spots(r->samples)[r->sample];
  const float xy[2] = {(float)spot.x / 16, (float)spot.y / 16};
  for (uint32_t c = 0; c < 2; c++) {
    uint32_t bits;
    memcpy(&bits, &xy[c], sizeof bits);
    put_same(r, row_of(b, c), EMU_F32, bits);
  }
}

/* The samples of a lane that are shaded together. */
static uint16_t coverage(const Run *r, uint32_t lane) {
  uint16_t mask = r->quads[lane / QUAD].mask[lane % QUAD];
  return r->per_sample ? (uint16_t)(mask & 1u << r->sample) : mask;
}

static void fill_sample_mask(Run *r, const EmuBuiltin *b) {
  uint32_t masks[EMU_MAX_LANES], shaded = r->per_sample ? 1u << r->sample : UINT16_MAX;
  for (uint32_t lane = 0; lane < r->lanes; lane++)
    masks[lane] = r->untested ? r->untested[lane / QUAD][lane % QUAD] & shaded : coverage(r, lane);
  put_words(r, row_of(b, 0), masks);
}

static void fill_barycentric(Run *r, const EmuBuiltin *b, bool perspective) {
  const Weights *w = weights_at(r, place_of(r, EMU_VARY_CENTER), perspective);
  for (uint32_t lane = 0; lane < r->lanes; lane++)
    r->values[lane] = 1 - w->b1[lane] - w->b2[lane];
  put_words(r, row_of(b, 0), r->values);
  put_words(r, row_of(b, 1), w->b1);
  put_words(r, row_of(b, 2), w->b2);
}

/* ---- planes for interpolation at a point ----------------------------------------------------- */

static void fill_planes(Run *r, const EmuBuiltin *b, bool perspective) {
  const EmuPrimitive *p = r->primitive;
  const Points *center = points_at(r, EMU_AT_CENTER);
  EmuPlane planes[3];
  emu_weight_planes(p, perspective, planes);
  for (uint32_t i = 0; i < 3; i++)
    for (uint32_t lane = 0; lane < r->lanes; lane++) {
      double x = (double)center->x[lane] - p->x0, y = (double)center->y[lane] - p->y0;
      put_double(r, row_of(b, 3 * i), lane, emu_plane_at(&planes[i], x, y));
      put_double(r, row_of(b, 3 * i + 1), lane, planes[i].dx);
      put_double(r, row_of(b, 3 * i + 2), lane, planes[i].dy);
    }
}

static void fill_centroid(Run *r, const EmuBuiltin *b) {
  const Points *center = points_at(r, EMU_AT_CENTER), *there = points_at(r, EMU_AT_CENTROID);
  for (uint32_t lane = 0; lane < r->lanes; lane++) {
    put_double(r, row_of(b, 0), lane, (double)there->x[lane] - (double)center->x[lane]);
    put_double(r, row_of(b, 1), lane, (double)there->y[lane] - (double)center->y[lane]);
  }
}

static void fill_spots(Run *r, const EmuBuiltin *b) {
  const EmuSpot *spots = emu_sample_spots(r->samples);
  uint64_t x = 0, y = 0;
  for (uint32_t n = 0; n < r->samples; n++) {
    x |= (uint64_t)spots[n].x << 4 * n;
    y |= (uint64_t)spots[n].y << 4 * n;
  }
  put_same(r, row_of(b, 0), EMU_U64, x);
  put_same(r, row_of(b, 1), EMU_U64, y);
}

/* ---- all builtins ---------------------------------------------------------------------------- */

static void fill_builtin(Run *r, const EmuBuiltin *b) {
  switch (b->builtin) {
  case SpvBuiltInFragCoord:
    fill_frag_coord(r, b);
    break;
  case SpvBuiltInPointCoord:
    fill_point_coord(r, b);
    break;
  case SpvBuiltInFrontFacing:
    put_same(r, b->row, EMU_BOOL, r->primitive->front ? UINT32_MAX : 0);
    break;
  case SpvBuiltInPrimitiveId:
    put_same(r, b->row, EMU_U32, r->primitive->id);
    break;
  case SpvBuiltInSampleId:
    put_same(r, b->row, EMU_U32, r->sample);
    break;
  case SpvBuiltInSamplePosition:
    fill_sample_position(r, b);
    break;
  case SpvBuiltInSampleMask:
    fill_sample_mask(r, b);
    break;
  case SpvBuiltInClipDistance:
  case SpvBuiltInCullDistance:
    fill_distances(r, b);
    break;
  case SpvBuiltInBaryCoordKHR:
  case SpvBuiltInBaryCoordNoPerspKHR:
    fill_barycentric(r, b, b->builtin == SpvBuiltInBaryCoordKHR);
    break;
  case EMU_HIDDEN_PLANES:
  case EMU_HIDDEN_LINEAR_PLANES:
    fill_planes(r, b, b->builtin == EMU_HIDDEN_PLANES);
    break;
  case EMU_HIDDEN_CENTROID:
    fill_centroid(r, b);
    break;
  case EMU_HIDDEN_SPOTS:
    fill_spots(r, b);
    break;
  }
}

/* ---- a subgroup ------------------------------------------------------------------------------ */

static void note_helpers(Run *r) {
  for (uint32_t lane = 0; lane < r->lanes; lane++)
    if (!coverage(r, lane))
      emu_mask_set(&r->s->helper, r->at + lane);
}

static void fill_run(Run *r) {
  const EmuProgram *p = r->s->program;
  for (uint32_t i = 0; i < PLACES; i++)
    r->points[i].known = r->weights[i][0].known = r->weights[i][1].known = false;
  for (uint32_t i = 0; i < p->inputs.count; i++)
    fill_port(r, &p->inputs.at[i], r->f->sources[i]);
  for (uint32_t i = 0; i < p->builtins.count; i++)
    fill_builtin(r, &p->builtins.at[i]);
  if (r->s->size > 1)
    note_helpers(r);
}

/* How many quads, beginning with `first` and before `end`, belong to one run. */
static uint32_t length_of_run(const EmuFragments *f, uint32_t first, uint32_t end) {
  uint32_t n = first + 1;
  while (n < end && f->primitive_of[n] == f->primitive_of[first] &&
         f->sample_of[n] == f->sample_of[first])
    n++;
  return n - first;
}

void emu_draw_inputs(const EmuFragments *f, EmuLanes *s, const EmuPack *pack) {
  uint32_t end = pack->first + pack->count;
  Run r;
  r.f = f;
  r.s = s;
  r.only = pack->lane;
  r.samples = f->draw->raster.samples;
  r.per_sample = s->program->facts.per_sample && r.samples > 1;
  emu_mask_first(&s->exist, s->size == 1 ? 1 : pack->count * QUAD, s->words);
  emu_mask_clear(&s->helper, s->words);
  for (uint32_t q = pack->first; q < end;) {
    uint32_t count = length_of_run(f, q, end), primitive = f->primitive_of[q];
    uint64_t vertex[3];
    for (uint32_t corner = 0; corner < 3; corner++)
      vertex[corner] = f->base[primitive] + f->primitives[primitive].vertex[corner];
    r.vertex = vertex;
    r.primitive = &f->primitives[primitive];
    r.quads = &f->quads[q];
    r.untested = f->untested ? (const uint16_t(*)[QUAD]) & f->untested[q] : NULL;
    r.sample = f->sample_of[q];
    r.lanes = count * QUAD;
    r.at = (q - pack->first) * QUAD;
    fill_run(&r);
    q += count;
  }
}
