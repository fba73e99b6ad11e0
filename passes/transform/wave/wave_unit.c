/* SPDX-License-Identifier: Apache-2.0 */
/* wave_unit: see wave_unit.h. */
#include "passes/transform/wave/wave_unit.h"

#include "passes/ir/effects.h"

#include <ctype.h>
#include <spirv-tools/libspirv.h>

/* ---- units ---- */

static uint32_t type_of(const SrModule *m, uint32_t id) {
  SrRef r = sr_def(m, id);
  return r == SR_NONE ? 0 : sr_inst(m, r)->type;
}

/* Does the instruction need lanes? Texels go through the vector memory path, and writes need
 * lanes. */
static bool needs_lanes(const SrModule *m, SrRef r) {
  uint16_t op = sr_inst(m, r)->op;
  return sr_is_cross_lane(m, r) || (op >= SpvOpImageSampleImplicitLod && op <= SpvOpImageWrite) ||
         (op >= SpvOpImageSparseSampleImplicitLod && op <= SpvOpImageSparseDrefGather) ||
         op == SpvOpImageSparseRead || (op == SpvOpExtInst && !sr_is_pure_extended(m, r));
}

SrWaveUnit sr_wave_unit(const SrModule *m, const SrUniform *u, SrRef r) {
  const SrInst *in = sr_inst(m, r);
  if (!sr_counts(in) || sr_is_terminator(in->op) || in->op == SpvOpFunctionCall)
    return SR_WAVE_NO_UNIT;
  if (in->op == SpvOpControlBarrier || in->op == SpvOpMemoryBarrier)
    return SR_WAVE_SCALAR;
  bool scalar = in->result && sr_uniform_value(u, in->result) && !needs_lanes(m, r);
  return scalar ? SR_WAVE_SCALAR : SR_WAVE_VECTOR;
}

/* ---- names ---- */

static const struct {
  const char *verb;
  uint16_t op;
  char type;
} names[] = {
#define SR_WAVE_NAME(op, verb, type) {verb, SpvOp##op, type},
#include "passes/transform/wave/wave_names.def"
};

/* The width of the scalars in a type, in bits: 1 for a bool, 0 for a type without any. */
static uint32_t width_of(const SrModule *m, uint32_t type) {
  for (SrRef r; type && (r = sr_def(m, type)) != SR_NONE;) {
    const uint32_t *w = sr_words(m, r);
    switch (sr_inst(m, r)->op) {
    case SpvOpTypeBool:
      return 1;
    case SpvOpTypeInt:
    case SpvOpTypeFloat:
      return w[2];
    case SpvOpTypeVector:
    case SpvOpTypeMatrix:
      type = w[2];
      break;
    default:
      return 0;
    }
  }
  return 0;
}

/* The type that an instruction works on: the type of its last operand, even for a select or
 * comparison; for a load, the type of its result. */
static uint32_t worked_on(const SrModule *m, SrRef r) {
  const SrInst *in = sr_inst(m, r);
  uint32_t last = sr_word_count(m, r) - 1;
  if (in->op == SpvOpStore)
    return type_of(m, sr_words(m, r)[2]);
  if (in->op == SpvOpLoad || in->op == SpvOpCompositeExtract || last < in->first ||
      !sr_word_is_id(m, r, last))
    return in->type;
  return type_of(m, sr_words(m, r)[last]);
}

/* Appends an opcode's name, "OpImageQuerySize" as "image_query_size". */
static void put_opcode(SrText *out, uint16_t op) {
  const char *name = spvOpcodeString(op);
  for (const char *c = name; *c; c++) {
    bool starts = c > name && isupper((unsigned char)*c) &&
                  (!isupper((unsigned char)c[-1]) || islower((unsigned char)c[1]));
    sr_text_add(out, starts ? "_%c" : "%c", tolower((unsigned char)*c));
  }
}

static void put_extended(SrText *out, const SrModule *m, SrRef r) {
  SrRef set = sr_def(m, sr_words(m, r)[3]);
  const char *name = set == SR_NONE ? "" : (const char *)&sr_words(m, set)[2];
  const char *which = strcmp(name, "GLSL.std.450") == 0 ? "glsl"
                      : strcmp(name, "OpenCL.std") == 0 ? "opencl"
                                                        : "ext";
  sr_text_add(out, "%s_%u", which, sr_words(m, r)[4]);
}

void sr_wave_name(SrText *out, const SrModule *m, SrRef r, SrWaveUnit unit) {
  uint16_t op = sr_inst(m, r)->op;
  sr_text_add(out, "%s", unit == SR_WAVE_SCALAR ? "s_" : "v_");
  if (op == SpvOpExtInst) {
    put_extended(out, m, r);
    return;
  }
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (names[i].op == op) {
      uint32_t width = names[i].type == '-' ? 0 : width_of(m, worked_on(m, r));
      sr_text_add(out, "%s", names[i].verb);
      if (width)
        sr_text_add(out, "_%c%u", names[i].type, width);
      return;
    }
  put_opcode(out, op);
}
