/* SPDX-License-Identifier: Apache-2.0 */
/* perturb: see perturb.h. The words are copied instruction by instruction; an instruction whose
 * result may err gets a new result id, and the multiplication inserted after it gets the old one.
 * The factors are constants before the first function. */
#include "harness/shader/perturb.h"

#include <spirv/unified1/GLSL.std.450.h>
#include <spirv/unified1/OpenCL.std.h>
#include <spirv/unified1/spirv.h>
#include <stdlib.h>
#include <string.h>

enum { HEADER = 5, MOST_IDS = 1 << 22, MOST_COMPONENTS = 16 };
/* Words that a product and its factor add at most. */
enum { ADDED = 5 * MOST_COMPONENTS + (3 + MOST_COMPONENTS) + 5 };

typedef struct Change { /* the change at one instruction */
  uint32_t factor;      /* id of the constant; 0: none */
  uint32_t result;      /* new id */
} Change;

typedef struct Perturb {
  HnModule in;
  uint32_t *out;
  size_t count;
  uint64_t seed;
  uint32_t set;      /* id of OpenCL.std */
  uint32_t glsl;     /* id of GLSL.std.450 */
  bool kernel;       /* the module has kernels */
  bool filtered;     /* samplers are linear */
  uint32_t *type_at; /* by id: the word where its type is defined; 0: no type */
  uint32_t bound;    /* bound of the ids, which grows */
  size_t changed;    /* limit on the instructions that get a factor */
} Perturb;

/* ---- which instructions ---------------------------------------------------------------------- */

static double ulps_of_function(uint32_t function) {
  switch (function) {
#define ULPS(name, number)                                                                         \
  case OpenCLstd_##name:                                                                           \
    return number;
#include "harness/shader/perturb.def"
#undef ULPS
  }
  return 0;
}

static double ulps_of_glsl(uint32_t function) {
  switch (function) {
#define ULPS(name, number)                                                                         \
  case GLSLstd450##name:                                                                           \
    return number;
#include "harness/shader/perturb_glsl.def"
#undef ULPS
  }
  return 0;
}

/* The error of an instruction that only shaders have, or that errs only in shaders. */
static double ulps_in_shader(const Perturb *p, uint32_t op) {
  enum { FILTERED = 1 << 14 }; /* 2^-9 */
  switch (op) {
  case SpvOpFMul:
  case SpvOpVectorTimesScalar:
    return 0.5;
  case SpvOpVectorTimesMatrix:
  case SpvOpMatrixTimesVector:
    return 4;
  case SpvOpImageSampleImplicitLod:
  case SpvOpImageSampleExplicitLod:
  case SpvOpImageSampleDrefImplicitLod:
  case SpvOpImageSampleDrefExplicitLod:
  case SpvOpImageSampleProjImplicitLod:
  case SpvOpImageSampleProjExplicitLod:
    return p->filtered ? FILTERED : 0;
  }
  return 0;
}

/* The error of the instruction at `w`, in units in the last place. */
static double ulps_of(const Perturb *p, const uint32_t *w) {
  uint32_t op = w[0] & 0xffff;
  double ulps = p->kernel ? 0 : ulps_in_shader(p, op);
  switch (op) {
  case SpvOpFDiv:
    return 2.5;
  case SpvOpDot:
    return 7; /* 2n - 1 for the largest vectors */
  case SpvOpImageSampleExplicitLod:
    return p->kernel ? 8 : ulps; /* OpenCL sets no bound */
  case SpvOpExtInst:
    return p->glsl && w[3] == p->glsl ? ulps_of_glsl(w[4])
           : p->set && w[3] == p->set ? ulps_of_function(w[4])
                                      : 0;
  }
  return ulps;
}

/* The type of a value's scalars; 0: it is not a float of 32 or 64 bits, or a vector of them. */
static uint32_t scalar_of(const Perturb *p, uint32_t type) {
  const uint32_t *w = p->in.words;
  uint32_t at = type < w[3] ? p->type_at[type] : 0;
  if (at && (w[at] & 0xffff) == SpvOpTypeVector) {
    type = w[at + 2];
    at = p->type_at[type];
  }
  bool is_float = at && (w[at] & 0xffff) == SpvOpTypeFloat && w[at + 2] >= 32;
  return is_float ? type : 0;
}

static uint32_t components_of(const Perturb *p, uint32_t type) {
  const uint32_t *w = &p->in.words[p->type_at[type]];
  uint32_t count = (w[0] & 0xffff) == SpvOpTypeVector ? w[3] : 1;
  return count < MOST_COMPONENTS ? count : MOST_COMPONENTS;
}

static uint64_t mix(uint64_t z) {
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* -1, 0 or 1, for a component of the result `id`. */
static int sign_of(const Perturb *p, uint32_t id, uint32_t component) {
  return (int)(mix(mix(mix(p->seed) + id) + component) % 3) - 1;
}

/* ---- writing --------------------------------------------------------------------------------- */

static void put(Perturb *p, uint32_t word) {
  p->out[p->count++] = word;
}

static bool is_wide(const Perturb *p, uint32_t scalar) {
  return p->in.words[p->type_at[scalar] + 2] == 64;
}

/* Emits the constant 1 + by units in the last place; returns its id. */
static uint32_t put_number(Perturb *p, uint32_t scalar, double by) {
  bool wide = is_wide(p, scalar);
  double exact = 1 + by * (wide ? 0x1p-52 : 0x1p-23);
  float single = (float)exact;
  uint32_t words[2] = {0};
  memcpy(words, wide ? (void *)&exact : (void *)&single, wide ? sizeof exact : sizeof single);
  uint32_t id = p->bound++;
  put(p, (wide ? 5u : 4u) << 16 | SpvOpConstant);
  put(p, scalar);
  put(p, id);
  put(p, words[0]);
  if (wide)
    put(p, words[1]);
  return id;
}

/* Emits the factor of the result `id`: a sign of its own for each component. */
static uint32_t put_factor(Perturb *p, uint32_t type, uint32_t scalar, uint32_t id, double ulps) {
  uint32_t parts[MOST_COMPONENTS], count = components_of(p, type);
  for (uint32_t i = 0; i < count; i++)
    parts[i] = put_number(p, scalar, sign_of(p, id, i) * ulps);
  if (type == scalar)
    return parts[0];
  uint32_t factor = p->bound++;
  put(p, (3 + count) << 16 | SpvOpConstantComposite);
  put(p, type);
  put(p, factor);
  for (uint32_t i = 0; i < count; i++)
    put(p, parts[i]);
  return factor;
}

/* Emits the factors of all instructions, in the order of the instructions. */
static void put_factors(Perturb *p, Change *changes) {
  const uint32_t *w = p->in.words;
  size_t n = 0;
  for (size_t at = HEADER; at < p->in.count; at += w[at] >> 16, n++) {
    double ulps = ulps_of(p, w + at);
    uint32_t type = ulps != 0 ? scalar_of(p, w[at + 1]) : 0;
    if (type)
      changes[n] = (Change){put_factor(p, w[at + 1], type, w[at + 2], ulps), p->bound++};
  }
}

static void put_instruction(Perturb *p, const uint32_t *w, const Change *change) {
  uint32_t *copy = &p->out[p->count];
  memcpy(copy, w, (w[0] >> 16) * sizeof *w);
  p->count += w[0] >> 16;
  bool is_mad = (w[0] & 0xffff) == SpvOpExtInst && w[3] == p->set && w[4] == OpenCLstd_Mad;
  if (is_mad && p->seed % 2)
    copy[4] = OpenCLstd_Fma;
  if (!change->factor)
    return;
  copy[2] = change->result;
  put(p, 5 << 16 | SpvOpFMul);
  put(p, w[1]);
  put(p, w[2]);
  put(p, change->result);
  put(p, change->factor);
}

/* ---- the module ------------------------------------------------------------------------------ */

/* Notes types; returns the number of instructions, or 0: the words are no module. */
static size_t survey(Perturb *p) {
  const uint32_t *w = p->in.words;
  size_t n = 0, at = HEADER;
  for (; at < p->in.count && w[at] >> 16 && at + (w[at] >> 16) <= p->in.count; n++) {
    uint32_t op = w[at] & 0xffff;
    if (op >= SpvOpTypeVoid && op <= SpvOpTypeFunction && w[at + 1] < w[3])
      p->type_at[w[at + 1]] = (uint32_t)at;
    if (op == SpvOpExtInstImport && strcmp((const char *)&w[at + 2], "OpenCL.std") == 0)
      p->set = w[at + 1];
    if (op == SpvOpExtInstImport && strcmp((const char *)&w[at + 2], "GLSL.std.450") == 0)
      p->glsl = w[at + 1];
    p->kernel = p->kernel || (op == SpvOpCapability && w[at + 1] == SpvCapabilityKernel);
    p->changed += ulps_of(p, w + at) != 0;
    at += w[at] >> 16;
  }
  return at == p->in.count ? n : 0;
}

static void write(Perturb *p, Change *changes) {
  const uint32_t *w = p->in.words;
  size_t n = 0;
  bool factors = false;
  memcpy(p->out, w, HEADER * sizeof *w);
  p->count = HEADER;
  for (size_t at = HEADER; at < p->in.count; at += w[at] >> 16) {
    if (!factors && (w[at] & 0xffff) == SpvOpFunction) {
      put_factors(p, changes);
      factors = true;
    }
    put_instruction(p, w + at, &changes[n++]);
  }
  p->out[3] = p->bound;
}

HnModule hn_perturb(HnModule module, uint64_t seed, bool filtered) {
  Perturb p = {.in = module, .seed = seed, .filtered = filtered};
  if (module.count < HEADER || module.words[0] != SpvMagicNumber || module.words[3] > MOST_IDS)
    return (HnModule){0};
  p.bound = module.words[3];
  p.type_at = calloc(p.bound + 1u, sizeof *p.type_at);
  size_t instructions = p.type_at ? survey(&p) : 0;
  Change *changes = calloc(instructions + 1, sizeof *changes);
  p.out = malloc((module.count + ADDED * p.changed) * sizeof *p.out);
  bool good = instructions && changes && p.out;
  if (good)
    write(&p, changes);
  free(p.type_at);
  free(changes);
  if (good)
    return (HnModule){p.out, p.count};
  free(p.out);
  return (HnModule){0};
}
