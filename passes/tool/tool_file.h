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

/* Writes a file under a temporary name in the same folder, then renames it; it gets the permissions
 * of an old file of that name. "-" is standard output. Anything but a regular file is written in
 * place, and so is an open file with a name such as /dev/fd/3. On failure prints the reason on
 * standard error and returns false. */
bool tool_write(const char *path, const void *bytes, size_t count);

/* A file under its temporary name. */
typedef struct ToolDraft {
  char *path, *temporary; /* path: links followed; NULL if written in place */
  int fd;
} ToolDraft;

/* Opens a draft of the file `path`; false with errno set. The draft has to be closed in either
 * case. */
bool tool_draft_open(ToolDraft *d, const char *path);
/* Puts the draft in its place if `ok`, else removes it; errno is kept. */
bool tool_draft_close(ToolDraft *d, bool ok);

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
