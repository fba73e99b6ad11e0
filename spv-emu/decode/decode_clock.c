/* SPDX-License-Identifier: Apache-2.0 */
/* decode_clock: OpReadClockKHR (SPV_KHR_shader_clock), a 64-bit integer or the two halves of one, the
 * lower first. The clock is the subgroup's (cost/shader_clock.h), whose start is cycle 0; a clock of the device
 * is the same, since subgroups run one after the other. The lanes of a subgroup do not communicate by
 * it, but a policy that packs lanes of several subgroups into one has no clock for each of them. */
#include "spv-emu/cost/shader_clock.h"
#include "spv-emu/decode/decode.h"

static void emit_read(EmuDecode *d, SrRef r, EmuHandler *run, uint32_t to) {
  emu_emit_masked(
      d, &(EmuIns){.run = run, .d = to, .a = EMU_NO_ROW, .b = EMU_NO_ROW, .c = EMU_NO_ROW, .x = r},
      0, 0);
}

static bool read_clock(EmuDecode *d, SrRef r) {
  uint64_t scope;
  uint32_t type = sr_inst(d->m, r)->type, count;
  if (!emu_constant_value(d, emu_operand(d, r, 0), &scope))
    return emu_refuse(d, r, "the scope is not a constant");
  if (scope != SpvScopeSubgroup && scope != SpvScopeDevice)
    return emu_refuse(d, r, "the scope is %llu; 3 (Subgroup) and 1 (Device) are possible",
                      (unsigned long long)scope);
  if (emu_type_kind(d, type) != EMU_U64 &&
      (emu_type_kind(d, type) != EMU_U32 || emu_type_components(d, type) != 2))
    return emu_refuse(d, r, "SPIR-V does not allow the type of the result");
  d->p->reads_clock = true;
  d->p->blocks.at[d->block].unhashed = true;
  d->p->lane_op = SpvOpReadClockKHR;
  const uint32_t *to = emu_define(d, r, &count);
  if (count == 1) {
    emit_read(d, r, emu_shader_clock_read, to[0]);
  } else {
    emit_read(d, r, emu_shader_clock_low, to[0]);
    emit_read(d, r, emu_shader_clock_high, to[1]);
  }
  return true;
}

bool emu_decode_clock(EmuDecode *d, SrRef r, bool *mine) {
  *mine = sr_inst(d->m, r)->op == SpvOpReadClockKHR;
  return !*mine || read_clock(d, r);
}
