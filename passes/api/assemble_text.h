/* SPDX-License-Identifier: Apache-2.0 */
/* assemble_text: assembly text as the input of a run. */
#ifndef SR_ASSEMBLE_TEXT_H
#define SR_ASSEMBLE_TEXT_H

#include "passes/base/diag.h"

#include <spirv-tools/libspirv.h>

/* Assembles the text; *binary is allocated by SPIRV-Tools, and the caller destroys it; NULL on
 * failure. Fails with BAD_INPUT and the place in the text, or with OUT_OF_MEMORY. */
SR_MUST_USE SrStatus sr_assemble_text(SrDiag *diag, spv_target_env env, const char *text,
                                      size_t length, spv_binary *binary);

#endif
