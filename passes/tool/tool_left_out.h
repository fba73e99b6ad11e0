/* SPDX-License-Identifier: Apache-2.0 */
/* tool_left_out: the shaders below a folder that a command leaves out, since it compiles only those
 * that are named. */
#ifndef TOOL_LEFT_OUT_H
#define TOOL_LEFT_OUT_H

#include <stddef.h>

typedef struct ToolLeftOut {
  size_t count;
  char *like; /* a pattern for those next to the first, as in FOLDER; owned */
} ToolLeftOut;

/* Counts the file if its name is a shader's. */
void tool_left_out_add(ToolLeftOut *left, const char *path);
/* "3 shaders", "1 shader". */
const char *tool_left_out_count(const ToolLeftOut *left, char text[32]);
void tool_left_out_free(ToolLeftOut *left);

#endif
