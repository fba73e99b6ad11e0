/* SPDX-License-Identifier: Apache-2.0 */
/* wave_unit: the unit of a wave-level machine that issues an instruction of the module, and the
 * machine's name for the instruction. */
#ifndef SR_WAVE_UNIT_H
#define SR_WAVE_UNIT_H

#include "passes/analysis/uniform/uniform.h"
#include "passes/base/text.h"

typedef enum SrWaveUnit {
  SR_WAVE_NO_UNIT, /* the instruction does not count (sr_counts), or is a terminator or a call */
  SR_WAVE_VECTOR,  /* issued once for the lanes in EXEC */
  SR_WAVE_SCALAR,  /* issued once for the wave, whatever EXEC is */
} SrWaveUnit;

/* An instruction is scalar if the analysis proves its value uniform and computing it needs no lane.
 * Instructions that communicate between lanes, sample or write stay vector. Barriers are scalar,
 * too. */
SrWaveUnit sr_wave_unit(const SrModule *m, const SrUniform *u, SrRef r);
/* Appends the instruction's name, such as "v_add_f32" or "s_load_u32": GCN's name of the operation
 * where it has one, else SPIR-V's opcode in lower case, and the type that it works on. */
void sr_wave_name(SrText *out, const SrModule *m, SrRef r, SrWaveUnit unit);

#endif
