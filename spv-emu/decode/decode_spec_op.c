/* SPDX-License-Identifier: Apache-2.0 */
/* decode_spec_op: OpSpecConstantOp. Types may depend on its value, so it is evaluated immediately,
 * in module order: it is decoded like the instruction that it names, and the emitted instructions
 * run on a small register file of their own. */
#include "passes/ir/edit.h"
#include "spv-emu/decode/decode.h"

#include <spirv-tools/libspirv.h>

/* A small register file for the instructions of one OpSpecConstantOp. */
typedef struct Bench {
  EmuDecode *d;
  SrMap slots; /* by register: its slot */
  uint8_t *file;
} Bench;

enum { SLOT = 8 * EMU_CHUNK };

static uint32_t slot(Bench *b, uint32_t reg) {
  if (reg == EMU_NO_ROW)
    return reg;
  uint32_t at = sr_map_get(&b->slots, reg);
  if (at == SR_NONE) {
    at = b->slots.count * SLOT;
    sr_map_set(&b->slots, reg, at);
    const EmuRegister *e = emu_register(b->d, reg);
    if (e->use == EMU_REGISTER_FIXED)
      emu_row_fill(b->file + at, (EmuKind)e->kind, EMU_CHUNK, emu_register_bits(b->d, reg));
  }
  return at;
}

/* Runs the emitted instructions from index `first` on, and removes them. */
static void run_emitted(Bench *b, uint32_t first) {
  EmuDecode *d = b->d;
  uint32_t *on = SR_NEW(d->scratch, uint32_t, EMU_CHUNK);
  memset(on, 0xff, EMU_CHUNK * sizeof *on);
  EmuProgram program = {.rows.at = d->p->rows.at};
  EmuLanes s = {.file = b->file,
                .width = EMU_CHUNK,
                .size = EMU_CHUNK,
                .words = 1,
                .on_row = on,
                .program = &program};
  emu_mask_first(&s.on, EMU_CHUNK, 1);
  s.exist = s.on;
  for (uint32_t i = first; i < d->emitted.count; i++) {
    EmuEmitted *e = &d->emitted.at[i];
    EmuIns ins = e->ins;
    ins.d = slot(b, ins.d), ins.a = slot(b, ins.a), ins.b = slot(b, ins.b), ins.c = slot(b, ins.c);
    for (uint32_t k = 0; k < e->count; k++)
      program.rows.at[ins.list + k] = slot(b, program.rows.at[ins.list + k]);
    ins.run(&s, &ins);
  }
  d->emitted.count = first;
}

/* Creates the instruction that an OpSpecConstantOp names, outside of the module's lists. */
static SrRef named_instruction(SrModule *m, SrRef r) {
  const SrInst in = *sr_inst(m, r);
  uint32_t count = sr_word_count(m, r);
  sr_begin(m, (SpvOp)sr_words(m, r)[3], in.type, in.result);
  for (uint32_t i = 4; i < count; i++)
    sr_put_literal(m, m->pool.at[in.at + i]);
  SrRef named = sr_end(m);
  m->def[in.result] = r;
  return named;
}

/* ---- types of operands, which the validator does not check ----------------------------------- */

static bool is_number(const EmuType *t) {
  return t->op == SpvOpTypeBool || t->op == SpvOpTypeInt || t->op == SpvOpTypeFloat;
}

static bool is_numbers(EmuDecode *d, const EmuType *t) {
  return is_number(t) || (t->op == SpvOpTypeVector && is_number(emu_type(d, t->element)));
}

static bool same_number(EmuDecode *d, SrRef named, uint32_t i, const EmuType *as) {
  const EmuType *t = emu_type(d, emu_type_of(d, emu_operand(d, named, i)));
  return is_numbers(d, t) && t->components == as->components;
}

/* The type of the part that the indices of an OpCompositeInsert select; 0: there is none. */
static uint32_t part_of(EmuDecode *d, SrRef named, uint32_t type) {
  for (uint32_t i = 2; i < emu_operand_count(d, named); i++) {
    uint32_t index = emu_operand(d, named, i);
    const EmuType *t = emu_type(d, type);
    if (index >= t->count)
      return 0;
    type = t->op == SpvOpTypeStruct ? sr_words(d->m, sr_def(d->m, type))[2 + index] : t->element;
  }
  return type;
}

static bool operands_fit(EmuDecode *d, SrRef named) {
  uint32_t type = sr_inst(d->m, named)->type, a = emu_type_of(d, emu_operand(d, named, 0)),
           b = emu_type_of(d, emu_operand(d, named, 1));
  const EmuType *result = emu_type(d, type), *first = emu_type(d, a), *second = emu_type(d, b);
  switch (sr_inst(d->m, named)->op) {
  case SpvOpCompositeExtract:
    return first->value;
  case SpvOpCompositeInsert:
    return b == type && second->value && a == part_of(d, named, b);
  case SpvOpVectorShuffle:
    return first->op == SpvOpTypeVector && second->op == SpvOpTypeVector &&
           first->element == second->element;
  case SpvOpSelect:
    return b == type && emu_type_of(d, emu_operand(d, named, 2)) == type && result->value &&
           is_numbers(d, first) && first->kind == EMU_BOOL &&
           (first->components == 1 || first->components == result->components);
  case SpvOpShiftLeftLogical:
  case SpvOpShiftRightLogical:
  case SpvOpShiftRightArithmetic:
    return same_number(d, named, 0, result) && same_number(d, named, 1, result);
  }
  for (uint32_t i = 0; i < emu_operand_count(d, named); i++)
    if (!same_number(d, named, i, result) ||
        emu_type(d, emu_type_of(d, emu_operand(d, named, i)))->kind != first->kind)
      return false;
  return true;
}

typedef struct Fit {
  EmuDecode *d;
  const EmuValue *value;
  uint32_t next;
  bool fits;
} Fit;

static void fit_leaf(void *user, uint64_t offset, EmuKind kind) {
  (void)offset;
  Fit *f = user;
  uint32_t i = f->next++;
  f->fits =
      f->fits && i < f->value->count && emu_register(f->d, f->value->at[i])->kind == (uint8_t)kind;
}

static bool result_fits(EmuDecode *d, SrRef r) {
  Fit f = {d, &d->values[sr_inst(d->m, r)->result], 0, true};
  emu_type_leaves(d, sr_inst(d->m, r)->type, true, (EmuMatrix){0}, 0, fit_leaf, &f);
  return f.fits && f.next == f.value->count;
}

/* ---- running them ---------------------------------------------------------------------------- */

bool emu_spec_op_evaluate(EmuDecode *d, SrRef r) {
  uint32_t id = sr_inst(d->m, r)->result, op = sr_words(d->m, r)[3];
  uint32_t first = d->emitted.count, rows = d->p->rows.count;
  bool mine = true;
  SrRef named = named_instruction(d->m, r);
  if (!operands_fit(d, named))
    return emu_refuse(d, r, "SPIR-V does not allow the types of the operands");
  if (!emu_decode_alu(d, named, &mine))
    return false;
  if (!mine)
    return emu_refuse(d, r, "Op%s of constants is not supported: compute it in the function",
                      spvOpcodeString(op));
  if (!result_fits(d, r))
    return emu_refuse(d, r, "SPIR-V does not allow the type of the result");
  Bench b = {.d = d, .slots.arena = d->scratch};
  uint32_t most = 4 * (d->emitted.count - first);
  for (uint32_t i = first; i < d->emitted.count; i++)
    most += d->emitted.at[i].count;
  b.file = SR_NEW(d->scratch, uint8_t, (size_t)(most + d->values[id].count) * SLOT);
  run_emitted(&b, first);
  d->p->rows.count = rows;
  EmuValue *value = &d->values[id];
  for (uint32_t i = 0; i < value->count; i++) {
    EmuKind kind = emu_register_kind(d, value->at[i]);
    uint64_t bits = 0;
    memcpy(&bits, b.file + slot(&b, value->at[i]), emu_kind_bytes(kind));
    value->at[i] = emu_bits(d, kind, bits);
  }
  return true;
}
