/* SPDX-License-Identifier: Apache-2.0 */
/* wave_read: reads back the listing of a wave-level program (wave_print.h), perhaps edited.
 *
 * Mask instructions, branches and labels may be changed, and all parts reordered; the lines of a
 * body belong to the module and must stay as they were printed. The result is safe to run: every
 * label is defined once, the program does not run past its end, and it has no cycle without a
 * body. */
#ifndef SR_WAVE_READ_H
#define SR_WAVE_READ_H

#include "passes/analysis/uniform/uniform.h"
#include "passes/transform/wave/wave.h"

/* Reads the program into `arena`. Fails with "wave listing, line 12: …". */
SR_MUST_USE SrStatus sr_wave_read(SrArena *arena, const SrModule *m, const SrUniform *u,
                                  const char *text, SrWave **wave);

#endif
