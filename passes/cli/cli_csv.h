/* SPDX-License-Identifier: Apache-2.0 */
/* cli_csv: fields of tables whose values are separated by commas. */
#ifndef CLI_CSV_H
#define CLI_CSV_H

#include <stdio.h>

/* Writes a field, in quotes if it needs them. */
void cli_csv_text(FILE *out, const char *text);

#endif
