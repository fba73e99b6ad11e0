/* SPDX-License-Identifier: Apache-2.0 */
/* report_breaches: breaches of the rules about uniformity, which --check=vuid found, as text and as
 * JSON. */
#ifndef EMU_REPORT_BREACHES_H
#define EMU_REPORT_BREACHES_H

#include "spv-emu/report/report_row.h"

#include <jansson.h>
#include <stdio.h>

/* The number of breaches of all the row's programs. */
uint64_t emu_row_breaches(const EmuRow *row);
/* Prints a line for each breach, at most the first 20 of the row. */
void emu_print_breaches(const EmuRow *row, FILE *out);
/* [{rule, text, function, block, opcode, operand, file, line, count, subgroup, lanes, values}, …]
 */
json_t *emu_breaches_array(const EmuRow *row);

#endif
