/* wave_read: reads back the listing of a wave-level program (wave_print.h), perhaps edited.
 *
 * What may be edited are mask instructions, branches, labels and the order of all; the lines of a
 * body are the module's and must stand as they were printed. The result is safe to run: every label
 * is defined once, the program does not run over its end, and it has no cycle without a body. */
#ifndef SR_WAVE_READ_H
#define SR_WAVE_READ_H

#include "analysis/uniform.h"
#include "transform/wave/wave.h"

/* The program, in `arena`. Fails with "wave listing, line 12: …". */
SR_MUST_USE SrStatus sr_wave_read(SrArena *arena, const SrModule *m, const SrUniform *u,
                                  const char *text, SrWave **wave);

#endif
