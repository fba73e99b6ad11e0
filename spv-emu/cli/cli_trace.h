/* SPDX-License-Identifier: Apache-2.0 */
/* cli_trace: --trace-stack, --trace-entries and --trace-groups: files that are written while
 * policies run.
 *
 *   --trace-stack    CSV, a line for each issue: policy, subgroup, issue (from 1), block, depth of
 *                    the stack after it. Instructions that the policy adds (SSY, carriers) have
 *                    the block that they follow
 *   --trace-entries  a line for each entry that is popped or pushed: mask, next block, block of
 *                    reconvergence; those of one instruction together, popped ones first
 *   --trace-groups   CSV, before each block a line for the group of lanes that runs it, for each
 *                    group that waits, and for each barrier register with lanes: policy, subgroup,
 *                    step (from 1), runs, waits or register, block or register, mask */
#ifndef EMU_CLI_TRACE_H
#define EMU_CLI_TRACE_H

#include <spv-emu/spv_emu.h>
#include <stdio.h>

typedef struct EmuCliTrace {
  const char *stack_file, *entries_file, *groups_file; /* NULL: not wanted */
  FILE *stack, *entries, *groups;
  const char *policy; /* whose entries were written last */
  uint64_t subgroup;  /* whose entries were written last */
  const char *step;   /* the step of the next entries; NULL once its name has been written */
  spv_emu_trace trace;
} EmuCliTrace;

/* Opens the files that are wanted. False: one line is on standard error. Close the trace in any
 * case. */
bool emu_cli_trace_open(EmuCliTrace *t, const char *stack_file, const char *entries_file,
                        const char *groups_file);
/* The trace for the options of a run under a new policy; NULL: nothing is wanted. */
spv_emu_trace *emu_cli_trace_start(EmuCliTrace *t);
/* Closes the files. False: writing failed; one line is on standard error. */
bool emu_cli_trace_close(EmuCliTrace *t);

#endif
