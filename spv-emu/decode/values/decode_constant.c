/* SPDX-License-Identifier: Apache-2.0 */
/* decode_constant: the bits of constant scalars, plain and specialized. Types depend on them
 * (lengths of arrays), so this file may use only the kind of a type. */
#include "passes/ir/decorations.h"
#include "spv-emu/decode/values/decoder.h"

bool emu_constant_is_scalar(SpvOp op) {
  return op == SpvOpConstant || op == SpvOpSpecConstant || op == SpvOpConstantTrue ||
         op == SpvOpConstantFalse || op == SpvOpSpecConstantTrue || op == SpvOpSpecConstantFalse;
}

/* The value that the caller gives to a specialized constant, or the module's. */
static uint64_t specialized(EmuDecode *d, uint32_t id, uint64_t bits) {
  uint32_t spec_id;
  bool has_id = sr_decoration_value(d->m, id, SpvDecorationSpecId, &spec_id);
  for (uint32_t i = 0; i < d->options->spec_count; i++) {
    const spv_emu_spec *spec = &d->options->specs[i];
    if (spec->result ? spec->result == id : has_id && spec->id == spec_id)
      return spec->bits;
  }
  return bits;
}

uint64_t emu_constant_bits(EmuDecode *d, uint32_t id) {
  SrRef def = sr_def(d->m, id);
  SpvOp op = (SpvOp)sr_inst(d->m, def)->op;
  EmuKind kind = (EmuKind)d->types[sr_inst(d->m, def)->type].kind;
  const uint32_t *w = sr_words(d->m, def);
  uint64_t bits = op == SpvOpConstantTrue || op == SpvOpSpecConstantTrue;
  if (op == SpvOpConstant || op == SpvOpSpecConstant)
    bits = sr_word_count(d->m, def) > 4 ? w[3] | (uint64_t)w[4] << 32 : w[3];
  if (op == SpvOpSpecConstant || op == SpvOpSpecConstantTrue || op == SpvOpSpecConstantFalse)
    bits = specialized(d, id, bits);
  if (kind == EMU_BOOL)
    return bits ? UINT32_MAX : 0;
  return emu_kind_cut(kind, bits);
}

bool emu_constant_value(EmuDecode *d, uint32_t id, uint64_t *value) {
  SrRef def = sr_def(d->m, id);
  if (def == SR_NONE || d->types[sr_inst(d->m, def)->type].op != SpvOpTypeInt)
    return false;
  SpvOp op = (SpvOp)sr_inst(d->m, def)->op;
  *value = 0;
  if (op == SpvOpConstantNull || op == SpvOpUndef)
    return true;
  if (op == SpvOpSpecConstantOp) {
    if (d->values[id].count)
      *value = emu_register_bits(d, d->values[id].at[0]);
    return true;
  }
  if (!emu_constant_is_scalar(op))
    return false;
  *value = emu_constant_bits(d, id);
  return true;
}
