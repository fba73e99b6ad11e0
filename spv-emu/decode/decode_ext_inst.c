/* SPDX-License-Identifier: Apache-2.0 */
/* decode_ext_inst: OpExtInst: finds the instruction in its set and decodes it. */
#include "spv-emu/decode/decode_extended.h"

bool emu_decode_ext_inst(EmuDecode *d, SrRef r, bool *mine) {
  uint32_t set = emu_operand(d, r, 0), op = emu_operand(d, r, 1);
  bool nonsemantic = sr_inst(emu_module(d), r)->nonsemantic;
  EmuSteps s = {.d = d, .r = r};
  *mine = nonsemantic || set == d->extended_glsl || set == d->extended_opencl;
  if (nonsemantic || !*mine)
    return true;
  EmuExtended *run =
      set == d->extended_glsl ? emu_glsl_find(op, &s.name) : emu_opencl_find(op, &s.name);
  return run ? run(&s, op)
             : emu_refuse(d, r, "instruction %u of this instruction set is not supported", op);
}
