/* SPDX-License-Identifier: Apache-2.0 */
/* report_row: the results of one policy for one case, for all dispatches of the case together.
 *
 * A case runs one program or several (the pipelines of an AmberScript), each perhaps many times. A
 * row keeps one result for each program, the sum of its dispatches; the figures of the whole row
 * are the sums over programs (emu_row_total). */
#ifndef EMU_REPORT_ROW_H
#define EMU_REPORT_ROW_H

#include "spv-emu/report/heat.h"

#include <spv-emu/spv_emu.h>

typedef struct EmuPart { /* a program of the case */
  const spv_emu_program *program;
  spv_emu_result *result; /* owned by the row; NULL: the program did not run */
  bool earlier;           /* a shader of draws whose fragment shader is another part */
} EmuPart;

/* The contents of a descriptor after the run. */
typedef struct EmuOutput {
  uint32_t set, binding, element;
  uint32_t part;    /* the first program with this descriptor */
  const char *name; /* in the case; NULL: it has none */
  const EmuElementLayout *layout;
  const EmuFormat *format; /* of an image: its level 0 is at the start of `bytes`; NULL: a buffer */
  uint32_t width, height, layers; /* of an image; layers also counts the slices of a 3D one */
  bool stored;                    /* a storage image that may be written */
  const uint8_t *bytes;           /* owned by the case, valid until it runs again */
  const uint8_t *initial;         /* what the bytes were before the run; NULL: not kept */
  uint64_t size;
  uint64_t hash; /* XXH64, seed 0 */
} EmuOutput;

enum { EMU_FAILURES_KEPT = 8, EMU_ROW_VALUES = 4 /* most values that are swept at once */ };

typedef struct EmuRow {
  const char *policy;              /* as requested */
  const char *variant, *module;    /* the variant that is compared, and its file; NULL: there is
                                   only one */
  const char *transform;           /* the variant's list; NULL: no lists are compared */
  uint64_t values[EMU_ROW_VALUES]; /* the swept numbers */
  uint32_t point;                  /* rows with the same number are compared */
  EmuPart *parts;
  uint32_t part_count;
  uint64_t dispatches;
  uint64_t passed, failed;           /* EXPECTs */
  char *failures[EMU_FAILURES_KEPT]; /* messages of the first failures, one line each; owned */
  EmuOutput *outputs;                /* by set, binding, element */
  uint32_t output_count;
  EmuPicture *pictures; /* of the attachments, if wanted: colours by location, then depth */
  uint32_t picture_count;
  spv_emu_heat heat; /* of draws, if wanted */
  EmuHeatSum heat_sum;
  EmuCells cells; /* of heat and the first picture, for a page */
} EmuRow;

/* ---- report_row.c: filling a row ------------------------------------------------------------- */

/* A row without runs; `policy` NULL: the emulator's choice. False: out of memory. Free the row in
 * any case. */
bool emu_row_start(EmuRow *row, const char *policy, uint32_t part_count);
/* A row that does not run, and why. False: as above. */
bool emu_row_refuse(EmuRow *row, const char *policy, const char *why);
/* Adds a dispatch of `program`, the case's part `part`; takes ownership of the result. */
void emu_row_add(EmuRow *row, uint32_t part, const spv_emu_program *program,
                 spv_emu_result *result);
/* The same for another stage of a draw that has been added already; it does not count as a
 * dispatch. */
void emu_row_add_stage(EmuRow *row, uint32_t part, const spv_emu_program *program,
                       spv_emu_result *result);
/* The verdict of an EXPECT. `failure` is copied; NULL: the EXPECT passed. */
void emu_row_expect(EmuRow *row, const char *failure);
/* Compare outputs, for qsort: the first by set, binding, element and part, the second without the
 * part. */
int emu_output_order(const void *left, const void *right);
int emu_output_place(const EmuOutput *left, const EmuOutput *right);
/* Copies these descriptors and hashes their contents. False: out of memory. */
bool emu_row_outputs(EmuRow *row, const EmuOutput *outputs, uint32_t count);
/* Keeps pictures of attachments. False: out of memory. */
bool emu_row_pictures(EmuRow *row, const EmuDrawn *drawn, uint32_t count);
/* To be called when heat and pictures are complete: sums up the heat and, with `page`, makes its
 * cells; drops what is not kept. False: out of memory. */
bool emu_row_view(EmuRow *row, bool page, bool keep_heat, bool keep_pictures);
/* For a row of a sweep, whose case will be freed: drops blocks and contents. */
void emu_row_keep_figures(EmuRow *row, const uint64_t values[EMU_ROW_VALUES]);
void emu_row_free(EmuRow *row);

/* ---- report_total.c: reading a row ----------------------------------------------------------- */

/* The sums over programs. Policy and subgroup size are those of the first part that ran; outcome
 * and message are those of the first part that did not run to its end, if any. The lists of blocks
 * and so on are empty. */
spv_emu_result emu_row_total(const EmuRow *row);
/* Sets the blocks, parts, functions and so on of a result, and its priority, to those of another. */
void emu_result_take_lists(spv_emu_result *to, const spv_emu_result *from);
/* "ok", "skip", "deadlock", "limit", "fault", "partial", "livelock". */
const char *emu_outcome_name(spv_emu_outcome outcome);
/* Did an EXPECT or a dispatch fail? A policy that does not apply is not a failure. */
bool emu_row_failed(const EmuRow *row);

/* The row's message: the policy's, else that of the first EXPECT that failed; empty: no failure. */
const char *emu_row_message(const EmuRow *row, const spv_emu_result *total);

#endif
