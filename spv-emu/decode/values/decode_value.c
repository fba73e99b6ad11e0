/* SPDX-License-Identifier: Apache-2.0 */
/* decode_value: values as lists of registers. A constant gets its registers when it is first used:
 * equal scalars share one, and unused constants have none. */
#include "spv-emu/decode/values/decoder.h"

/* ---- new values ------------------------------------------------------------------------------ */

typedef struct Fill {
  EmuDecode *d;
  uint32_t *at;
  EmuRegisterUse use;
} Fill;

static void new_leaf(void *user, uint64_t offset, EmuKind kind) {
  (void)offset;
  Fill *fill = user;
  *fill->at++ = emu_register_new(fill->d, kind, fill->use);
}

uint32_t *emu_registers_new(EmuDecode *d, uint32_t type, EmuRegisterUse use, uint32_t *count) {
  *count = d->types[type].components;
  uint32_t *registers = SR_NEW_RAW(d->scratch, uint32_t, *count);
  Fill fill = {d, registers, use};
  emu_type_leaves(d, type, true, (EmuMatrix){0}, 0, new_leaf, &fill);
  return registers;
}

const uint32_t *emu_value_new(EmuDecode *d, uint32_t id, EmuRegisterUse use, uint32_t *count) {
  uint32_t *registers = emu_registers_new(d, emu_type_of(d, id), use, count);
  d->values[id] = (EmuValue){registers, *count};
  return registers;
}

/* ---- constants ------------------------------------------------------------------------------- */

typedef struct Zeros {
  EmuDecode *d;
  uint32_t *at;
} Zeros;

static void zero_leaf(void *user, uint64_t offset, EmuKind kind) {
  (void)offset;
  Zeros *zeros = user;
  *zeros->at++ = emu_bits(zeros->d, kind, 0);
}

static EmuValue zero_value(EmuDecode *d, uint32_t type) {
  uint32_t count = d->types[type].components;
  EmuValue value = {SR_NEW_RAW(d->scratch, uint32_t, count), count};
  emu_type_leaves(d, type, true, (EmuMatrix){0}, 0, zero_leaf, &(Zeros){d, value.at});
  return value;
}

/* Constituents are declared before the composite, but may not have registers yet. The recursion is
 * as deep as types nest. */
static EmuValue composite(EmuDecode *d, SrRef def) {
  uint32_t total = d->types[sr_inst(d->m, def)->type].components, n = 0;
  EmuValue value = {SR_NEW_RAW(d->scratch, uint32_t, total), total};
  for (uint32_t i = 0; i < emu_operand_count(d, def); i++) {
    uint32_t count;
    const uint32_t *part = emu_use(d, emu_operand(d, def, i), &count);
    for (uint32_t k = 0; k < count && n < total; k++)
      value.at[n++] = part[k];
  }
  return value;
}

/* The index of the sampler in the table of samplers, where it gets an entry. */
static EmuValue literal_sampler(EmuDecode *d, SrRef def) {
  EmuLiteralSampler sampler = {.index = d->p->image_count++,
                               .mode = emu_operand(d, def, 0),
                               .normalized = emu_operand(d, def, 1),
                               .linear = emu_operand(d, def, 2) == SpvSamplerFilterModeLinear};
  SR_PUSH(d->arena, &d->p->literal_samplers, sampler);
  EmuValue value = {SR_NEW_RAW(d->scratch, uint32_t, 1), 1};
  value.at[0] = emu_bits(d, EMU_U32, sampler.index);
  return value;
}

static EmuValue constant_value(EmuDecode *d, uint32_t id) {
  SrRef def = sr_def(d->m, id);
  if (def == SR_NONE)
    return (EmuValue){0};
  SpvOp op = (SpvOp)sr_inst(d->m, def)->op;
  uint32_t type = sr_inst(d->m, def)->type;
  if (op == SpvOpUndef || op == SpvOpConstantNull)
    return zero_value(d, type);
  if (op == SpvOpConstantComposite || op == SpvOpSpecConstantComposite)
    return composite(d, def);
  if (op == SpvOpConstantSampler)
    return literal_sampler(d, def);
  if (!emu_constant_is_scalar(op))
    return (EmuValue){0};
  EmuKind kind = emu_type_kind(d, type);
  EmuValue value = {SR_NEW_RAW(d->scratch, uint32_t, 1), 1};
  value.at[0] = emu_bits(d, kind, emu_constant_bits(d, id));
  return value;
}

/* ---- uses ------------------------------------------------------------------------------------ */

/* A pointer that is known while decoding has no registers: each use computes the address again,
 * since an earlier use need not dominate it. */
static const uint32_t *use_address(EmuDecode *d, const EmuPointer *place, uint32_t *count) {
  uint32_t *address = SR_NEW_RAW(d->scratch, uint32_t, 1);
  *address = emu_address_of(d, place);
  *count = 1;
  return address;
}

const uint32_t *emu_use(EmuDecode *d, uint32_t id, uint32_t *count) {
  if (d->values[id].count == 0) {
    if (d->pointers[id] != SR_NONE)
      return use_address(d, &d->pointer_list.at[d->pointers[id]], count);
    d->values[id] = constant_value(d, id);
  }
  *count = d->values[id].count;
  return d->values[id].at;
}

uint32_t emu_use1(EmuDecode *d, uint32_t id) {
  uint32_t count;
  const uint32_t *registers = emu_use(d, id, &count);
  return count ? registers[0] : emu_bits(d, emu_type_kind(d, emu_type_of(d, id)), 0);
}

uint32_t emu_use_u64(EmuDecode *d, uint32_t id) {
  uint32_t from = emu_use1(d, id);
  EmuKind kind = emu_register_kind(d, from);
  if (kind == EMU_U64)
    return from;
  uint32_t wide = emu_temp(d, EMU_U64);
  emu_emit(d, d->isa->convert(SpvOpUConvert, kind, EMU_U64), wide, from, EMU_NO_ROW, EMU_NO_ROW);
  return wide;
}

const uint32_t *emu_define(EmuDecode *d, SrRef r, uint32_t *count) {
  return emu_value_new(d, sr_inst(d->m, r)->result, EMU_REGISTER_UNUSED, count);
}
