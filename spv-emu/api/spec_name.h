/* SPDX-License-Identifier: Apache-2.0 */
/* spec_name: finds specialization constants by their names. */
#ifndef EMU_SPEC_NAME_H
#define EMU_SPEC_NAME_H

#include "passes/ir/module.h"

#include <spv-emu/spv_emu.h>

/* Replaces names by result ids in a copy of `specs`, and drops names that the module lacks. */
SR_MUST_USE SrStatus emu_specs_resolve(SrArena *arena, SrDiag *diag, SrModule *m,
                                       const spv_emu_spec *specs, uint32_t count,
                                       spv_emu_spec **resolved, uint32_t *resolved_count);

/* The same constants, each once, with what the module says of them. */
spv_emu_constant *emu_specs_list(SrArena *arena, SrModule *m, const spv_emu_spec *resolved,
                                 uint32_t resolved_count, uint32_t *count);

#endif
