/* SPDX-License-Identifier: Apache-2.0 */
/* copy_module: see copy_module.h. */
#include "passes/ir/copy_module.h"

#include "passes/ir/finish.h"
#include "passes/ir/reader.h"
#include "passes/ir/writer.h"

SrStatus sr_copy_module(SrArena *arena, SrModule *m, SrModule **copy) {
  SrDiag *diag = SR_NEW(arena, SrDiag, 1);
  size_t count;
  SR_CHECK(sr_finish(m));
  const uint32_t *words = sr_write(m, arena, &count);
  SrStatus status = sr_read(arena, diag, words, count, copy);
  return status == SR_OK ? status : sr_fail(m->diag, status, SR_NOWHERE, "%s", diag->text);
}
