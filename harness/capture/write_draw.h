/* SPDX-License-Identifier: Apache-2.0 */
/* write_draw: the parts of a case that only draws have. */
#ifndef CP_WRITE_DRAW_H
#define CP_WRITE_DRAW_H

#include "harness/capture/shot.h"

#include <stdio.h>

/* The name of a stage in a case, such as "vertex". */
const char *cp_stage_name(VkShaderStageFlagBits stage);
/* Writes the fixed state of a pipeline. */
void cp_draw_state(FILE *out, const CpShot *shot);
/* Writes the inputs of a pipeline: `name`: that of the piece; its bytes are the piece's. */
void cp_draw_vertices(FILE *out, const CpShot *shot, const CpPiece *piece, const char *name);
/* Writes the RUN. */
void cp_draw_run(FILE *out, const CpShot *shot);

#endif
