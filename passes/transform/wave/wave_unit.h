/* wave_unit: which unit of a wave-level machine issues an instruction of the module, and what it is
 * called there. */
#ifndef SR_WAVE_UNIT_H
#define SR_WAVE_UNIT_H

#include "analysis/uniform.h"
#include "base/text.h"

typedef enum SrWaveUnit {
  SR_WAVE_NO_UNIT, /* it does not count (sr_counts), is a terminator, or a call */
  SR_WAVE_VECTOR,  /* once for the lanes in EXEC */
  SR_WAVE_SCALAR,  /* once for the wave, whatever EXEC is */
} SrWaveUnit;

/* Scalar is what makes a value that the analysis proves uniform and asks no lane for it (what
 * communicates between lanes, samples or writes stays vector), and barriers. */
SrWaveUnit sr_wave_unit(const SrModule *m, const SrUniform *u, SrRef r);
/* Appends its name, as "v_add_f32" or "s_load_u32": GCN's verb where there is one, else SPIR-V's
 * opcode in lower case, with the type that it works on. */
void sr_wave_name(SrText *out, const SrModule *m, SrRef r, SrWaveUnit unit);

#endif
