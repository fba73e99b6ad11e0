/* SPDX-License-Identifier: Apache-2.0 */
/* report_source: where blocks come from, and the cost of source lines, as JSON. */
#ifndef EMU_REPORT_SOURCE_H
#define EMU_REPORT_SOURCE_H

#include "spv-emu/report/report_row.h"

#include <jansson.h>

/* Sets "file" to the file's name; null: not known. */
void emu_source_file(json_t *o, const spv_emu_source *source, uint32_t file);
/* Adds to a block's object: file (null: not known), column, last_line, source_function and, for an
 * inlined call, inlined_at. */
void emu_source_set(json_t *o, const spv_emu_source *source, const spv_emu_block *block);
/* The source lines, of all programs, whose instructions were issued: [{file, line, issues,
 * lanes}, …], file by file. The last object, with file null and line 0, is for instructions
 * without a line. */
json_t *emu_source_lines(const EmuRow *row);

#endif
