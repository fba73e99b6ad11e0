/* SPDX-License-Identifier: Apache-2.0 */
/* spec_name: see spec_name.h. */
#include "api/spec_name.h"

#include "ir/decorations.h"

#include <stdlib.h>
#include <string.h>

static bool is_spec_constant(SrModule *m, uint32_t id) {
  SpvOp op = sr_def_op(m, id);
  return op == SpvOpSpecConstant || op == SpvOpSpecConstantTrue || op == SpvOpSpecConstantFalse;
}

/* The first constant with that OpName; 0: there is none. */
static uint32_t find_name(SrModule *m, const char *name) {
  for (SrRef r = 0; r < m->inst.count; r++) {
    if (sr_inst(m, r)->op != SpvOpName)
      continue;
    const uint32_t *w = sr_words(m, r);
    size_t most = ((size_t)sr_word_count(m, r) - 2) * sizeof *w;
    if (is_spec_constant(m, w[1]) && strlen(name) < most &&
        strncmp((const char *)&w[2], name, most) == 0)
      return w[1];
  }
  return 0;
}

/* The constant with that SpecId, else with that result id. */
static uint32_t find_number(SrModule *m, uint32_t number) {
  uint32_t spec_id;
  for (uint32_t id = 1; id < sr_bound(m); id++)
    if (is_spec_constant(m, id) && sr_decoration_value(m, id, SpvDecorationSpecId, &spec_id) &&
        spec_id == number)
      return id;
  return is_spec_constant(m, number) ? number : 0;
}

static uint32_t find(SrModule *m, const char *name) {
  char *end;
  unsigned long number = strtoul(name, &end, 10);
  bool numeric = name[0] >= '0' && name[0] <= '9' && !*end && number < UINT32_MAX;
  return numeric ? find_number(m, (uint32_t)number) : find_name(m, name);
}

static bool is_float(SrModule *m, uint32_t id) {
  return sr_def_op(m, sr_inst(m, sr_def(m, id))->type) == SpvOpTypeFloat;
}

SrStatus emu_specs_resolve(SrArena *arena, SrDiag *diag, SrModule *m, const spv_emu_spec *specs,
                           uint32_t count, spv_emu_spec **resolved, uint32_t *resolved_count) {
  spv_emu_spec *out = SR_NEW(arena, spv_emu_spec, count);
  *resolved = out;
  *resolved_count = 0;
  for (uint32_t i = 0; i < count; i++) {
    spv_emu_spec spec = specs[i];
    if (spec.name) {
      spec.result = find(m, spec.name);
      if (spec.found)
        *spec.found = *spec.found || spec.result;
      else if (!spec.result)
        return sr_fail(diag, SR_BAD_OPTION, SR_NOWHERE,
                       "there is no specialization constant '%.60s'", spec.name);
      if (!spec.result)
        continue;
      if (is_float(m, spec.result))
        return sr_fail(diag, SR_BAD_OPTION, SR_NOWHERE,
                       "specialization constant '%.60s' is not an integer", spec.name);
    }
    out[(*resolved_count)++] = spec;
  }
  return SR_OK;
}
