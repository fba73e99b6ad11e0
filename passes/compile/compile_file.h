/* SPDX-License-Identifier: Apache-2.0 */
/* compile_file: reads whole files. */
#ifndef COMPILE_FILE_H
#define COMPILE_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Reads a whole file into malloc'd memory. False, with errno: it cannot be read, or is larger than
 * `limit` bytes (EFBIG). */
bool compile_file_read(const char *path, size_t limit, uint8_t **bytes, size_t *size);

/* Is it a file, not a folder, pipe or device? False with errno, which is ENOENT for these. */
bool compile_file_is_regular(const char *path);
/* The same as compile_file_read for a file that the input names: only a regular one, since reading
 * a pipe or a terminal would wait. */
bool compile_file_read_regular(const char *path, size_t limit, uint8_t **bytes, size_t *size);

/* The path of a file that the file `own` names relative to its own folder. To be freed; NULL: out
 * of memory. */
char *compile_file_beside(const char *own, const char *path);

#endif
