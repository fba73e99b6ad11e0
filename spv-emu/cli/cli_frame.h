/* SPDX-License-Identifier: Apache-2.0 */
/* cli_frame: --frame: what the cases of a folder cost together, pipeline by pipeline: where the lanes of a
 * captured frame are lost. Cases with the same modules are one pipeline. Each case runs in a process of its
 * own (cli_several.h), which writes a line for each policy; the command's process adds them up. */
#ifndef EMU_CLI_FRAME_H
#define EMU_CLI_FRAME_H

#include "spv-emu/cli/cli_case.h"
#include "spv-emu/report/report.h"

/* The sums of a pipeline under a policy. */
typedef struct EmuFrameSum {
  uint64_t issues, lanes, slots; /* slots: issues times the size of subgroups */
  uint64_t failed;               /* dispatches that did not run to their end, or failed an EXPECT */
} EmuFrameSum;

typedef struct EmuFramePipeline {
  uint64_t key;
  char *name; /* its first case; owned */
  uint64_t dispatches;
  EmuFrameSum *sums; /* by policy; owned */
} EmuFramePipeline;

typedef struct EmuFrame {
  char **policies; /* in the order of the first case; owned */
  EmuFramePipeline *pipelines;
  uint32_t policy_count, pipeline_count;
  uint64_t failed; /* cases that could not be run at all */
} EmuFrame;

/* In the process of a case: writes its lines to standard output. */
void emu_cli_frame_save(const EmuCase *c, const EmuReport *report);
/* Adds the lines of a case; `saved` NULL, or without lines: it failed. False: out of memory. */
bool emu_frame_add(EmuFrame *frame, const char *input, FILE *saved);
/* Puts the pipelines that lose most lanes first. */
void emu_frame_sort(EmuFrame *frame);
/* Prints the table of a sorted frame. False: out of memory. */
bool emu_frame_print(const EmuFrame *frame, FILE *out);
/* cli_frame_data.c: the same as an object of --json, or with a line for each pipeline and policy. */
bool emu_frame_json(const EmuFrame *frame, const char *folder, FILE *out);
void emu_frame_csv(const EmuFrame *frame, FILE *out);
void emu_frame_free(EmuFrame *frame);

#endif
