/* SPDX-License-Identifier: Apache-2.0 */
/* run_setup: the first and the last step of running a program with a caller's options: binds the
 * descriptors, and computes the figures of the result. Between the two, the caller runs a dispatch,
 * or a stage of a draw. */
#ifndef EMU_RUN_SETUP_H
#define EMU_RUN_SETUP_H

#include "spv-emu/debug/debugger.h"
#include "spv-emu/engine/program.h"
#include "spv-emu/exec/workgroup.h"
#include "spv-emu/policy/trace.h"

typedef struct EmuRun {
  const spv_emu_program *program;
  const spv_emu_run_options *options;
  spv_emu_result *result; /* to be filled */
  SrArena *arena;
  bool unlisted; /* a listing among the options is another program's: it is not read */
  SrDiag diag;
  const char *skip; /* why the policy does not apply; NULL: it does */
  EmuBlockTable table;
  EmuDispatch dispatch;
  EmuTrace trace;
  EmuPolicy traced;
  EmuCost cost;
} EmuRun;

/* Sets `skip`, if the policy does not apply, else `dispatch`, from the members before it. */
SR_MUST_USE SrStatus emu_run_prepare(EmuRun *r);
/* Fills the result; `totals` NULL: the run was skipped. */
SR_MUST_USE SrStatus emu_run_finish(EmuRun *r, EmuTotals *totals);

#endif
