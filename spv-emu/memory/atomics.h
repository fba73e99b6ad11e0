/* SPDX-License-Identifier: Apache-2.0 */
/* atomics: looks up the handlers of OpAtomic*; NULL: there is none. Lanes run one after the other.
 *
 * Integers have 32 or 64 bits, floats 16, 32 or 64; flags are EMU_U32. d = the result, which is the
 * value before the operation (EMU_BOOL for OpAtomicFlagTestAndSet; EMU_NO_ROW for OpAtomicStore and
 * OpAtomicFlagClear), b = value, c = comparator. */
#ifndef EMU_ATOMICS_H
#define EMU_ATOMICS_H

#include "spv-emu/engine/engine.h"

/* For a scalar of this kind in memory: EmuIns as in memory.h; the access has one leaf. */
EmuHandler *emu_atomic_find(SpvOp op, EmuKind kind);
/* For texels of exactly this kind's size: EmuIns.x and the list as in image.h. */
EmuHandler *emu_atomic_find_texel(SpvOp op, EmuKind kind);

#endif
