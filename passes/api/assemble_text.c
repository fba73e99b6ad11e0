/* SPDX-License-Identifier: Apache-2.0 */
/* assemble_text: see assemble_text.h. */
#include "passes/api/assemble_text.h"

#include "passes/assembly/assembly.h"

SrStatus sr_assemble_text(SrDiag *diag, spv_target_env env, const char *text, size_t length,
                          spv_binary *binary) {
  SrAssembly a = sr_assembly_make(env, text, length);
  *binary = a.binary;
  if (a.binary)
    return SR_OK;
  if (!*a.error)
    return sr_fail(diag, SR_OUT_OF_MEMORY, SR_NOWHERE, "out of memory");
  return sr_fail(diag, SR_BAD_INPUT, SR_NOWHERE, "line %zu, column %zu: %s", a.line, a.column,
                 a.error);
}
