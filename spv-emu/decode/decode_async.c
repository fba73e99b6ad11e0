/* SPDX-License-Identifier: Apache-2.0 */
/* decode_async: OpGroupAsyncCopy and OpGroupWaitEvents of kernels. Each subgroup that reaches the
 * copy makes it immediately, since the kernel may use neither side before it has waited. The wait
 * is a barrier of the workgroup, so that no subgroup uses the copy before all others have made it.
 * Events have no contents. */
#include "spv-emu/decode/decode.h"
#include "spv-emu/memory/memory.h"

/* Operands: scope, target, source, number of elements, stride (in elements, of the side in global
 * memory), event. */
static bool async_copy(EmuDecode *d, SrRef r) {
  uint32_t target = emu_operand(d, r, 1);
  EmuPointer to = emu_pointer_of(d, target), from = emu_pointer_of(d, emu_operand(d, r, 2));
  uint32_t count, stride = emu_use_u64(d, emu_operand(d, r, 4));
  bool from_global = emu_type(d, emu_type_of(d, target))->storage_class == SpvStorageClassWorkgroup;
  if (to.rows || from.rows)
    return emu_refuse(
        d, r, "one of the variables has no address: copy from or to workgroup memory or a buffer");
  uint64_t element;
  if (!emu_element_stride(d, r, &to, target, &element))
    return false;
  EmuIns copy = {.run = emu_async_copy,
                 .d = EMU_NO_ROW,
                 .a = emu_address_of(d, &to),
                 .b = emu_address_of(d, &from),
                 .c = emu_use_u64(d, emu_operand(d, r, 3)),
                 .list = emu_list(d, &stride, 1),
                 .x = (uint32_t)element << 1 | from_global};
  emu_emit_masked(d, &copy, 0, 1);
  uint32_t event = emu_define(d, r, &count)[0];
  emu_emit(d, d->isa->move[emu_kind_bytes(EMU_U32)], event, emu_bits(d, EMU_U32, 0), EMU_NO_ROW,
           EMU_NO_ROW);
  return true;
}

bool emu_decode_async(EmuDecode *d, SrRef r, bool *mine) {
  switch (sr_inst(d->m, r)->op) {
  case SpvOpGroupAsyncCopy:
    return async_copy(d, r);
  case SpvOpGroupWaitEvents:
    return emu_decode_barrier(d, r);
  default:
    *mine = false;
    return true;
  }
}
