/* SPDX-License-Identifier: Apache-2.0 */
/* cli_left_out: the shaders below a folder that a command leaves out, since it compiles only those
 * that are named. */
#ifndef CLI_LEFT_OUT_H
#define CLI_LEFT_OUT_H

#include <stddef.h>

typedef struct CliLeftOut {
  size_t count;
  char *like; /* a pattern for those next to the first, as in FOLDER; owned */
} CliLeftOut;

/* Counts the file if its name is a shader's. */
void cli_left_out_add(CliLeftOut *left, const char *path);
/* "3 shaders", "1 shader". */
const char *cli_left_out_count(const CliLeftOut *left, char text[32]);
void cli_left_out_free(CliLeftOut *left);

#endif
