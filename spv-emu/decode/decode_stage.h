/* SPDX-License-Identifier: Apache-2.0 */
/* decode_stage: what only graphics stages have: inputs and outputs by location, their builtins,
 * execution modes of fragments, and instructions on helper lanes. */
#ifndef EMU_DECODE_STAGE_H
#define EMU_DECODE_STAGE_H

#include "spv-emu/decode/decode.h"

/* Reads the execution modes of the entry point `function`. */
bool emu_stage_modes(EmuDecode *d, uint32_t function);

/* Adds the scalars of variable `id`, an input or output of type `type` whose rows are assigned, to
 * the program's ports and builtins. `written`: it is an output. */
bool emu_stage_variable(EmuDecode *d, SrRef r, uint32_t id, uint32_t type, bool written,
                        const EmuPointer *place);
/* The same for a fragment shader's input whose rows get the values at a corner (0 to 2). */
bool emu_stage_corner(EmuDecode *d, SrRef r, uint32_t id, uint32_t type, uint32_t corner,
                      const EmuPointer *place);
/* Is the input at `place` interpolated with perspective? */
bool emu_stage_has_perspective(const EmuDecode *d, const EmuPointer *place);

/* Called before and after an instruction that stores to memory is emitted, so that helper lanes do
 * not run it. In stages other than fragment shaders these functions emit nothing. */
void emu_stage_hide(EmuDecode *d);
/* `result`: a register that the hidden instruction writes; helper lanes get 0. EMU_NO_ROW: none. */
void emu_stage_show(EmuDecode *d, uint32_t result);

/* Is the place HelperInvocation, whose value changes when a lane is demoted? */
bool emu_stage_is_helper(const EmuDecode *d, const EmuPointer *place);
bool emu_stage_load_helper(EmuDecode *d, SrRef r);

/* OpDemoteToHelperInvocation, OpIsHelperInvocationEXT. */
bool emu_decode_stage(EmuDecode *d, SrRef r, bool *mine);

#endif
