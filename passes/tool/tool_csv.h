/* SPDX-License-Identifier: Apache-2.0 */
/* tool_csv: fields of tables whose values are separated by commas. */
#ifndef TOOL_CSV_H
#define TOOL_CSV_H

#include <stdio.h>

/* Writes a field, in quotes if it needs them. */
void tool_csv_text(FILE *out, const char *text);

#endif
