/* SPDX-License-Identifier: Apache-2.0 */
/* new_case: an AmberScript case for a compute or fragment shader without one. A fragment shader
 * draws a triangle over a framebuffer, with a made-up vertex shader (cases/bare_vertex.h).
 *
 * Contents and the dispatch are given (cases/given_options.h), or made up as for spv-emu (cases/guess.h). The
 * emulator runs the shader under several conditions (trial/trial.h); the numbers on which all runs
 * agree become EXPECTs. */
#ifndef HN_NEW_CASE_H
#define HN_NEW_CASE_H

#include "passes/tool/tool_source.h"
#include "spv-emu/cases/given_options.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct HnNewCase {
  const char *path;
  ToolSource source;
  EmuGiven *given; /* what the shader runs on. Without a dispatch: enough workgroups for 256
                      invocations, or fewer if these would access memory out of bounds, or race;
                      without a framebuffer: 32x32, or smaller as above */
} HnNewCase;

/* Why drivers may treat the case differently from the emulator. */
typedef struct HnNewRisks {
  bool outside; /* the shader accesses memory out of bounds, which may crash drivers */
  bool races;   /* results depend on which workgroups run at the same time */
  bool broken;  /* derivatives are computed while only some lanes of a quad are active */
} HnNewRisks;

/* Does the path name a shader, by its ending? */
bool hn_new_case_is(const char *path);
/* The text of the case. The caller frees it. NULL: *message says in one line what is wrong, and the
 * caller frees it; if the line is empty, the error is on standard error already. */
char *hn_new_case(const HnNewCase *wanted, HnNewRisks *risks, char **message);

#endif
