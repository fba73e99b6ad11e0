/* SPDX-License-Identifier: Apache-2.0 */
/* new_case: an AmberScript case for a compute or fragment shader without one. A fragment shader
 * draws a rectangle over a framebuffer, with a vertex shader that is made for it
 * (cases/bare_vertex.h).
 *
 * Contents, and the dispatch unless it is given, are made up as for spv-emu (cases/guess.h). The
 * emulator runs the shader under several conditions (trial/trial.h); what all runs agree on becomes
 * EXPECTs. */
#ifndef HN_NEW_CASE_H
#define HN_NEW_CASE_H

#include "passes/tool/tool_source.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct HnNewCase {
  const char *path;
  ToolSource source;
  uint64_t seed;
  uint32_t groups[3]; /* workgroups; 0: as many as have 256 invocations, or fewer where these would
                         access memory out of bounds, or race */
  uint32_t
      framebuffer[2]; /* of a fragment shader: width and height; 0: 32x32, or smaller as above */
} HnNewCase;

/* Why drivers may not do with the case what the emulator does. */
typedef struct HnNewRisks {
  bool outside; /* the shader accesses memory out of bounds, on which drivers may crash */
  bool races;   /* results depend on which workgroups run at once */
  bool broken;  /* derivatives are computed where only some lanes of a quad are active */
} HnNewRisks;

/* Does the path name a shader, by its ending? */
bool hn_new_case_is(const char *path);
/* The text of the case, to be freed. NULL: *message is what is wrong, one line to be freed; if the
 * line is empty, the error is on standard error already. */
char *hn_new_case(const HnNewCase *wanted, HnNewRisks *risks, char **message);

#endif
