/* atomics: what atomics on memory and on image texels share: they differ in where the scalars of
 * the lanes stand. */
#ifndef EMU_ATOMICS_H
#define EMU_ATOMICS_H

#include "engine/engine.h"

/* Where the scalars of the lanes that are on stand, `bytes` bytes each, aligned to that on the
 * host; NULL: out of bounds, which is counted and noted already. What the running instruction costs
 * is counted too. `written`: not only read. */
typedef void EmuLocate(EmuLanes *s, const EmuIns *i, uint32_t bytes, bool written, uint8_t **place);

/* One of the forms of an atomic: on memory, on texels. */
typedef struct EmuAtomic {
  SpvOp op;
  EmuKind kind;
  EmuHandler *memory, *texel;
} EmuAtomic;

/* NULL: there is none. */
const EmuAtomic *emu_atomic_form(SpvOp op, EmuKind kind);

/* image.c: EmuIns as emu_image_atomic_find says. */
EmuLocate emu_image_locate;

#endif
