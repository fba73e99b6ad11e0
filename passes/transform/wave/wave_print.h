/* SPDX-License-Identifier: Apache-2.0 */
/* wave_print: a wave-level program as a listing in the style of GCN's assembly.
 *
 *   @12:                                    a label: block %12 begins
 *     s_or_b64        exec, exec, s[0:1]    rejoin mask 0 joins EXEC
 *     .block          %12                   the instructions of the module's block:
 *     v_add_f32       %20, %18, %19           for the lanes in EXEC
 *     s_add_u32       %21, %7, 1              uniform: once
 *     .vcc            %22, @30              VCC: the lanes that condition %22 sends to @30
 *     s_mov_b64       s[2:3], vcc
 *     s_andn2_b64     exec, exec, vcc
 *     s_cbranch_execz @30
 *
 * `.scc %22, @14`: SCC is 1 if the uniform condition leads to @14. `.block %12, 1` is the part of
 * the block after its first call. Operands are SPIR-V ids, literals, and constants by their value;
 * phis are moves on edges and not listed. `s_branch_table %9, @1, @2` jumps by an OpSwitch's
 * selector: to the default, then to the other targets in the order of their first cases. Lines
 * without an instruction (labels, directives) issue nothing. `;` begins a comment. */
#ifndef SR_WAVE_PRINT_H
#define SR_WAVE_PRINT_H

#include "passes/transform/wave/wave.h"
#include "passes/transform/wave/wave_unit.h"

/* The listing, terminated, in `arena`. */
char *sr_wave_print(SrArena *arena, const SrModule *m, const SrUniform *u, const SrWave *w);

/* ---- pieces, for reading back ---- */

/* The mnemonic of an opcode of wave.h, such as "s_mov_b64". */
const char *sr_wave_mnemonic(SrWaveOp op);
void sr_wave_put_label(SrText *out, const SrWaveLabel *label);
/* Appends one line of a body, without leading blanks or a line end. */
void sr_wave_put_inst(SrText *out, const SrModule *m, SrRef r, SrWaveUnit unit);
/* Does the body end in a branch on VCC or SCC? Then sr_wave_put_condition writes the line that
 * names the condition. */
bool sr_wave_has_condition(const SrModule *m, const SrWaveInst *body);
void sr_wave_put_condition(SrText *out, const SrModule *m, const SrWaveInst *body);

#endif
