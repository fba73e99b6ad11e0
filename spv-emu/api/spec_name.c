/* SPDX-License-Identifier: Apache-2.0 */
/* spec_name: see spec_name.h. */
#include "spv-emu/api/spec_name.h"

#include "passes/base/text.h"
#include "passes/ir/decorations.h"
#include "passes/ir/label.h"
#include "spv-emu/format/format_number.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LISTED = 8 };

typedef struct Search {
  SrArena *arena;
  SrDiag *diag;
  SrModule *m;
  const char **names; /* by id */
} Search;

/* ---- the constant of a name ------------------------------------------------------------------ */

static bool is_spec_constant(SrModule *m, uint32_t id) {
  SpvOp op = sr_def_op(m, id);
  return op == SpvOpSpecConstant || op == SpvOpSpecConstantTrue || op == SpvOpSpecConstantFalse;
}

/* The first constant with that OpName; 0: there is none. */
static uint32_t find_name(const Search *s, const char *name) {
  for (uint32_t id = 1; id < sr_bound(s->m); id++)
    if (s->names[id] && strcmp(s->names[id], name) == 0 && is_spec_constant(s->m, id))
      return id;
  return 0;
}

/* The constant with that SpecId, else with that result id. */
static uint32_t find_number(SrModule *m, uint32_t number) {
  uint32_t spec_id;
  for (uint32_t id = 1; id < sr_bound(m); id++)
    if (is_spec_constant(m, id) && sr_decoration_value(m, id, SpvDecorationSpecId, &spec_id) &&
        spec_id == number)
      return id;
  return number < sr_bound(m) && is_spec_constant(m, number) ? number : 0;
}

static uint32_t find(const Search *s, const char *name) {
  char *end;
  unsigned long number = strtoul(name, &end, 10);
  bool numeric = name[0] >= '0' && name[0] <= '9' && !*end && number < UINT32_MAX;
  return numeric ? find_number(s->m, (uint32_t)number) : find_name(s, name);
}

/* Fails with a message that lists the constants: "; the module has 0 (SIZE), 3, …". */
static SrStatus refuse_unknown(const Search *s, const char *name) {
  SrText list = {.arena = s->arena};
  uint32_t count = 0, spec_id;
  for (uint32_t id = 1; id < sr_bound(s->m) && count <= MOST_LISTED; id++) {
    if (!is_spec_constant(s->m, id) ||
        !sr_decoration_value(s->m, id, SpvDecorationSpecId, &spec_id))
      continue;
    if (count == MOST_LISTED)
      sr_text_add(&list, ", ...");
    else
      sr_text_add(&list, "%s%u", count ? ", " : "", spec_id);
    if (count < MOST_LISTED && s->names[id])
      sr_text_add(&list, " (%.24s)", s->names[id]);
    count++;
  }
  return sr_fail(s->diag, SR_BAD_OPTION, SR_NOWHERE,
                 "there is no specialization constant '%.60s'; the module has %s", name,
                 count ? sr_text_end(&list) : "none");
}

/* ---- the constant's value -------------------------------------------------------------------- */

/* Sets *field to the type of the constant. False: it is a bool, and field->unit is 0. */
static bool field_of(SrModule *m, uint32_t id, EmuField *field) {
  SrRef type = sr_def(m, sr_inst(m, sr_def(m, id))->type);
  const uint32_t *w = sr_words(m, type);
  SpvOp op = (SpvOp)sr_inst(m, type)->op;
  *field = (EmuField){0};
  if (op != SpvOpTypeInt && op != SpvOpTypeFloat)
    return false;
  field->bits = (uint8_t)w[2];
  field->unit = field->bits / 8;
  field->kind = op == SpvOpTypeFloat ? EMU_FORMAT_FLOAT : w[3] ? EMU_FORMAT_SINT : EMU_FORMAT_UINT;
  return true;
}

static bool read_bool(const char *text, uint64_t *bits) {
  *bits = strcmp(text, "true") == 0 || strcmp(text, "1") == 0;
  return *bits || strcmp(text, "false") == 0 || strcmp(text, "0") == 0;
}

static SrStatus refuse_value(const Search *s, const spv_emu_spec *spec, const EmuField *field,
                             const char *why) {
  char type[8] = "bool";
  if (field->unit)
    snprintf(type, sizeof type, "%c%u", "uif"[field->kind], field -> bits);
  return sr_fail(s->diag, SR_BAD_OPTION, SR_NOWHERE,
                 "specialization constant '%.60s' has type %s: %s%.40s%s%s", spec->name, type,
                 spec->text ? "'" : "", spec->text ? spec->text : "", spec->text ? "': " : "", why);
}

static SrStatus read_value(const Search *s, spv_emu_spec *spec) {
  EmuField field;
  EmuNumber value;
  bool is_number = field_of(s->m, spec->result, &field);
  if (spec->width && (!is_number || spec->width != field.bits))
    return refuse_value(s, spec, &field, "give the value without a type");
  if (!spec->text)
    return spec->width || field.kind != EMU_FORMAT_FLOAT
               ? SR_OK
               : sr_fail(s->diag, SR_BAD_OPTION, SR_NOWHERE,
                         "specialization constant '%.60s' is not an integer", spec->name);
  if (!is_number)
    return read_bool(spec->text, &spec->bits) ? SR_OK
                                              : refuse_value(s, spec, &field, "not true or false");
  const char *wrong = emu_number_parse(spec->text, strlen(spec->text), &field, &value);
  if (wrong)
    return refuse_value(s, spec, &field, wrong);
  spec->bits = 0;
  emu_field_set(&field, value, &spec->bits);
  return SR_OK;
}

static bool is_exclusive(const spv_emu_spec *spec) {
  return spec->text || spec->width;
}

static SrStatus check_once(const Search *s, const spv_emu_spec *spec, const spv_emu_spec *earlier,
                           uint32_t count) {
  for (uint32_t i = 0; i < count && is_exclusive(spec); i++)
    if (is_exclusive(&earlier[i]) && earlier[i].result == spec->result)
      return sr_fail(s->diag, SR_BAD_OPTION, SR_NOWHERE,
                     "specialization constant '%.60s' is given twice, also as '%.60s'", spec->name,
                     earlier[i].name);
  return SR_OK;
}

/* ---- all constants of the options ------------------------------------------------------------ */

SrStatus emu_specs_resolve(SrArena *arena, SrDiag *diag, SrModule *m, const spv_emu_spec *specs,
                           uint32_t count, spv_emu_spec **resolved, uint32_t *resolved_count) {
  const Search s = {arena, diag, m, sr_label_names(arena, m)};
  spv_emu_spec *out = SR_NEW(arena, spv_emu_spec, count);
  *resolved = out;
  *resolved_count = 0;
  for (uint32_t i = 0; i < count; i++) {
    spv_emu_spec spec = specs[i];
    if (spec.name) {
      spec.result = find(&s, spec.name);
      if (spec.found)
        *spec.found = *spec.found || spec.result;
      else if (!spec.result)
        return refuse_unknown(&s, spec.name);
      if (!spec.result)
        continue;
      SR_CHECK(read_value(&s, &spec));
      SR_CHECK(check_once(&s, &spec, out, *resolved_count));
    }
    out[(*resolved_count)++] = spec;
  }
  return SR_OK;
}

/* ---- the constants that have a value --------------------------------------------------------- */

/* The id of a resolved constant: `result`, or that with SpecId `id`; 0: there is none. */
static uint32_t constant_of(SrModule *m, const spv_emu_spec *spec) {
  uint32_t id = spec->result ? spec->result : find_number(m, spec->id);
  return id && is_spec_constant(m, id) ? id : 0;
}

static bool is_listed(const spv_emu_constant *list, uint32_t count, uint32_t id) {
  for (uint32_t i = 0; i < count; i++)
    if (list[i].result == id)
      return true;
  return false;
}

static spv_emu_constant describe(SrModule *m, uint32_t id, uint64_t bits) {
  spv_emu_constant c = {.result = id, .kind = SPV_EMU_UINT, .value = bits};
  EmuField field;
  c.decorated = sr_decoration_value(m, id, SpvDecorationSpecId, &c.id);
  if (field_of(m, id, &field)) {
    c.bits = field.bits;
    c.kind = field.kind == EMU_FORMAT_FLOAT  ? SPV_EMU_FLOAT
             : field.kind == EMU_FORMAT_SINT ? SPV_EMU_SINT
                                             : SPV_EMU_UINT;
  }
  return c;
}

spv_emu_constant *emu_specs_list(SrArena *arena, SrModule *m, const spv_emu_spec *resolved,
                                 uint32_t resolved_count, uint32_t *count) {
  spv_emu_constant *list = SR_NEW(arena, spv_emu_constant, resolved_count);
  *count = 0;
  for (uint32_t i = 0; i < resolved_count; i++) {
    uint32_t id = constant_of(m, &resolved[i]);
    if (id && !is_listed(list, *count, id))
      list[(*count)++] = describe(m, id, resolved[i].bits);
  }
  return list;
}
