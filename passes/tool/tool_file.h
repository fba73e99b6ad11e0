/* SPDX-License-Identifier: Apache-2.0 */
/* tool_file: reads whole files; writes files that appear complete or not at all. */
#ifndef TOOL_FILE_H
#define TOOL_FILE_H

#include "passes/base/compiler.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct ToolInput {
  char *bytes; /* from malloc, aligned for words, with a 0 after the last byte */
  size_t count;
  bool binary; /* starts with SPIR-V's magic number in either byte order */
} ToolInput;

/* Are these bytes SPIR-V's magic number, in either byte order? */
bool tool_is_magic(const char bytes[4]);

/* Reads a file, "-" for standard input. On failure prints the reason on standard error and returns
 * false. */
bool tool_read(const char *path, ToolInput *in);

/* Writes a file so that it appears complete or not at all (os_draft.h). "-" is standard output. On failure prints the
 * reason on standard error and returns false. */
bool tool_write(const char *path, const void *bytes, size_t count);

/* Reads everything from a descriptor; false with errno set. `binary` is not set. */
bool tool_read_all(int fd, ToolInput *in);
/* Writes all bytes to a descriptor; false with errno set. */
bool tool_write_to(int fd, const char *bytes, size_t count);

/* Makes the folder unless it exists. On failure prints the reason and returns false. */
bool tool_make_folder(const char *path);

/* Prints a line with the file's name and the meaning of errno; returns false. */
bool tool_failed(const char *path);

bool tool_has_suffix(const char *path, const char *suffix);
/* The path, or what "-" stands for, in text for users. */
const char *tool_name(const char *path);
/* Prints "PROGRAM: FILE: …" on standard error. */
void tool_say(const char *path, const char *format, ...) SR_PRINTF(2, 3);

#endif
