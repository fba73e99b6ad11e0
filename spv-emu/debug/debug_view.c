/* SPDX-License-Identifier: Apache-2.0 */
/* debug_view: see debug_state.h. A view is a range of numbered scalars with a type; this file
 * maps the numbers to rows and memory, and writes scalars as their types ask. */
#include "spv-emu/debug/debug_view.h"

#include "spv-emu/engine/half.h"
#include "spv-emu/memory/memory.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

enum { MOST_ELEMENTS = 16, MOST_DEPTH = 8, MOST_NUMBER = 32 };

const EmuDebugType *emu_debug_type(const EmuDebugger *d, uint32_t type) {
  return &d->p->debug->types[type];
}

/* ---- members --------------------------------------------------------------------------------- */

void emu_debug_name_members(EmuDebugger *d) {
  const SrModule *m = d->p->module;
  d->members = SR_NEW(d->arena, const char **, d->p->debug->bound);
  for (SR_EACH(m, r, m->globals)) {
    const uint32_t *w = sr_words(m, r);
    if (sr_inst(m, r)->op != SpvOpMemberName || w[1] >= d->p->debug->bound)
      continue;
    uint32_t count = emu_debug_type(d, w[1])->count;
    if (!d->members[w[1]])
      d->members[w[1]] = SR_NEW(d->arena, const char *, count + 1);
    if (w[2] < count && w[3])
      d->members[w[1]][w[2]] = (const char *)&w[3];
  }
}

const char *emu_debug_member(const EmuDebugger *d, uint32_t type, uint32_t member) {
  return d->members[type] ? d->members[type][member] : NULL;
}

/* ---- scalars --------------------------------------------------------------------------------- */

typedef struct Scalar {
  uint64_t bits;
  EmuKind kind;
} Scalar;

static uint32_t value_of(const EmuDebugger *d, const EmuView *v, uint32_t lane) {
  return v->source ? d->sub->value[(v->source - 1) * d->e->lanes.size + lane] : v->id;
}

/* A constant that no instruction uses has no row. */
static bool read_constant(const EmuDebugger *d, uint32_t id, Scalar *to) {
  const SrModule *m = d->p->module;
  SpvOp op = sr_def_op(m, id);
  if (op == SpvOpConstantTrue || op == SpvOpConstantFalse) {
    *to = (Scalar){op == SpvOpConstantTrue, EMU_BOOL};
    return true;
  }
  if (op != SpvOpConstant || sr_word_count(m, sr_def(m, id)) != 4)
    return false;
  bool real = sr_def_op(m, sr_inst(m, sr_def(m, id))->type) == SpvOpTypeFloat;
  *to = (Scalar){sr_words(m, sr_def(m, id))[3], real ? EMU_F32 : EMU_U32};
  return true;
}

static bool read_value(const EmuDebugger *d, uint32_t id, uint64_t index, uint32_t lane,
                       Scalar *to) {
  const EmuDebugInfo *info = d->p->debug;
  if (!id || id >= info->bound)
    return false;
  const EmuScalars *scalars = &info->values[id];
  if (index >= scalars->count)
    return read_constant(d, id, to);
  const EmuScalar *s = &info->scalars.at[scalars->first + index];
  if (s->row == EMU_NO_ROW)
    return false;
  uint32_t bytes = emu_kind_bytes((EmuKind)s->kind);
  *to = (Scalar){.kind = (EmuKind)s->kind};
  memcpy(&to->bits, d->e->lanes.file + s->row + (size_t)lane * bytes, bytes);
  return true;
}

/* Where the variable begins for a lane. */
static EmuPlace start_of(const EmuDebugger *d, const EmuView *v, uint32_t lane) {
  const EmuDebugVariable *of = v->variable;
  if (of->pointer == EMU_NO_ROW)
    return (EmuPlace){of->segment + v->descriptor, 0};
  return emu_place_at(EMU_ROW(&d->e->lanes, uint64_t, of->pointer)[lane]);
}

/* The segment of a variable; of a parameter, that to which it points in the first running lane. */
static const EmuSegment *segment_of(const EmuDebugger *d, const EmuView *v) {
  const EmuLanes *s = &d->e->lanes;
  const EmuPlace place = start_of(d, v, emu_mask_next(&s->on, 0, s->words));
  return &s->segments[place.segment < s->program->segments.count ? place.segment : 0];
}

static bool read_variable(const EmuDebugger *d, const EmuView *v, uint64_t index, uint32_t lane,
                          Scalar *to) {
  const EmuDebugVariable *of = v->variable;
  const EmuDebugInfo *info = d->p->debug;
  const EmuLanes *s = &d->e->lanes;
  uint64_t offset;
  const EmuLeaf *leaf;
  if (of->image || of->too_large)
    return false;
  if (index < of->leaf_count) {
    leaf = &info->leaves.at[of->leaf + index];
    offset = leaf->offset;
  } else if (of->tail_count) {
    leaf = &info->leaves.at[of->tail + (index - of->leaf_count) % of->tail_count];
    offset =
        of->tail_at + (index - of->leaf_count) / of->tail_count * of->tail_stride + leaf->offset;
  } else {
    return false;
  }
  EmuPlace place = start_of(d, v, lane);
  bool rows = place.segment < s->program->segments.count &&
              s->segments[place.segment].space == EMU_SPACE_ROWS;
  uint32_t bytes = emu_kind_bytes((EmuKind)leaf->kind);
  place.offset += rows ? offset * s->width : offset;
  const uint8_t *from = emu_place_bytes(s, place, bytes, lane);
  *to = (Scalar){.kind = (EmuKind)leaf->kind};
  if (from)
    memcpy(&to->bits, from, bytes);
  return from != NULL;
}

static bool read_scalar(const EmuDebugger *d, const EmuView *v, uint64_t index, uint32_t lane,
                        Scalar *to) {
  return v->variable ? read_variable(d, v, index, lane, to)
                     : read_value(d, value_of(d, v, lane), index, lane, to);
}

/* ---- what a lane has ------------------------------------------------------------------------- */

bool emu_view_is_by_lane(const EmuDebugger *d, const EmuView *v) {
  if (!v->variable || v->variable->pointer != EMU_NO_ROW)
    return true;
  if (v->variable->image)
    return false;
  uint8_t space = segment_of(d, v)->space;
  return space == EMU_SPACE_ROWS || space == EMU_SPACE_LANE;
}

bool emu_view_is_computed(const EmuDebugger *d, const EmuView *v, uint32_t lane) {
  if (v->variable)
    return true;
  uint32_t id = value_of(d, v, lane);
  const EmuDefined *at = &d->defined[id];
  if (!id || at->block == SR_NONE)
    return id != 0;
  if (emu_mask_has(&d->sub->ran[at->block], lane))
    return true;
  return d->e->lanes.block == at->block && emu_mask_has(&d->e->lanes.on, lane) &&
         d->e->step >= at->steps;
}

uint64_t emu_view_elements(const EmuDebugger *d, const EmuView *v) {
  const EmuDebugType *t = emu_debug_type(d, v->type);
  if (t->op != SpvOpTypeRuntimeArray)
    return t->count;
  const EmuDebugVariable *of = v->variable;
  if (!of || !of->tail_stride)
    return 0;
  uint64_t size = segment_of(d, v)->size;
  return size > of->tail_at ? (size - of->tail_at) / of->tail_stride : 0;
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* The shortest text that reads as the same number. */
static void write_float(double value, bool is_double, SrText *to) {
  char text[MOST_NUMBER];
  for (int digits = 6; digits <= 17; digits++) {
    snprintf(text, sizeof text, "%.*g", digits, value);
    if (is_double ? strtod(text, NULL) == value : strtof(text, NULL) == (float)value)
      break;
  }
  sr_text_add(to, "%s", text);
}

static void write_number(const Scalar *s, bool is_signed, SrText *to) {
  float single;
  double number;
  switch (s->kind) {
  case EMU_BOOL:
    sr_text_add(to, "%s", s->bits ? "true" : "false");
    return;
  case EMU_F16:
    write_float((double)emu_half_to_float((uint16_t)s->bits), false, to);
    return;
  case EMU_F32:
    memcpy(&single, &s->bits, sizeof single);
    write_float((double)single, false, to);
    return;
  case EMU_F64:
    memcpy(&number, &s->bits, sizeof number);
    write_float(number, true, to);
    return;
  default:
    break;
  }
  uint32_t unused = 64 - 8 * emu_kind_bytes(s->kind);
  if (is_signed)
    sr_text_add(to, "%" PRId64, (int64_t)(s->bits << unused) >> unused);
  else
    sr_text_add(to, "%" PRIu64, s->bits);
}

static void write_scalar(const EmuDebugger *d, const EmuView *v, uint32_t type, uint64_t index,
                         uint32_t lane, SrText *to) {
  const SrModule *m = d->p->module;
  Scalar s;
  bool is_signed = sr_def_op(m, type) == SpvOpTypeInt && sr_words(m, sr_def(m, type))[3] == 1;
  if (!read_scalar(d, v, index, lane, &s))
    sr_text_add(to, "-");
  else
    write_number(&s, is_signed, to);
}

static void write_type(EmuDebugger *d, const EmuView *v, uint32_t type, uint64_t index,
                       uint32_t lane, SrText *to, uint32_t depth);

/* `count` elements of one type, at most MOST_ELEMENTS of them. */
static void write_elements(EmuDebugger *d, const EmuView *v, uint32_t type, uint64_t index,
                           uint64_t count, uint32_t lane, SrText *to, uint32_t depth) {
  uint64_t shown = count <= MOST_ELEMENTS || v->range ? count : MOST_ELEMENTS;
  for (uint64_t i = 0; i < shown; i++) {
    sr_text_add(to, "%s", i ? ", " : "");
    write_type(d, v, type, index + i * emu_debug_type(d, type)->components, lane, to, depth + 1);
  }
  if (shown < count)
    sr_text_add(to, ", and %" PRIu64 " more", count - shown);
}

static void write_members(EmuDebugger *d, const EmuView *v, uint32_t type, uint64_t index,
                          uint32_t lane, SrText *to, uint32_t depth) {
  const SrModule *m = d->p->module;
  for (uint32_t i = 0; i < emu_debug_type(d, type)->count; i++) {
    uint32_t member = sr_words(m, sr_def(m, type))[2 + i];
    const char *name = emu_debug_member(d, type, i);
    sr_text_add(to, "%s", i ? ", " : "");
    if (name)
      sr_text_add(to, "%s: ", name);
    write_type(d, v, member, index, lane, to, depth + 1);
    index += emu_debug_type(d, member)->components;
  }
}

/* Recursion is bounded: what is nested deeper is left out. */
static void write_type(EmuDebugger *d, const EmuView *v, uint32_t type, uint64_t index,
                       uint32_t lane, SrText *to, uint32_t depth) {
  const EmuDebugType *t = emu_debug_type(d, type);
  EmuView part = *v;
  part.type = type;
  if (depth > MOST_DEPTH) {
    sr_text_add(to, "...");
    return;
  }
  switch (t->op) {
  case SpvOpTypeVector:
  case SpvOpTypeMatrix:
    sr_text_add(to, "(");
    write_elements(d, v, t->element, index, t->count, lane, to, depth);
    sr_text_add(to, ")");
    break;
  case SpvOpTypeArray:
  case SpvOpTypeRuntimeArray:
    sr_text_add(to, "{");
    write_elements(d, v, t->element, index, emu_view_elements(d, &part), lane, to, depth);
    sr_text_add(to, "}");
    break;
  case SpvOpTypeStruct:
    sr_text_add(to, "{");
    write_members(d, v, type, index, lane, to, depth);
    sr_text_add(to, "}");
    break;
  default:
    write_scalar(d, v, type, index, lane, to);
    break;
  }
}

void emu_view_write(EmuDebugger *d, const EmuView *v, uint32_t lane, SrText *to) {
  if (v->variable && v->variable->image) {
    sr_text_add(to, "an image or sampler");
  } else if (v->variable && v->variable->too_large) {
    sr_text_add(to, "too large to be shown");
  } else if (v->range) {
    sr_text_add(to, "{");
    write_elements(d, v, v->type, v->first, v->to - v->from + 1, lane, to, 0);
    sr_text_add(to, "}");
  } else {
    write_type(d, v, v->type, v->first, lane, to, 0);
  }
}
