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

/* Is the path a regular file? False with errno, which is ENOENT for a folder, pipe or device, too.
 */
bool compile_file_is_regular(const char *path);
/* Like compile_file_read, for a file that the input names: reads only a regular file, since reading
 * a pipe or a terminal would wait. */
bool compile_file_read_regular(const char *path, size_t limit, uint8_t **bytes, size_t *size);

/* The same as a private mapping, which may be changed. compile_file_unmap frees it. */
bool compile_file_map(const char *path, size_t limit, uint8_t **bytes, size_t *size);
void compile_file_unmap(void *bytes, size_t size);

/* Where to find a file that the file `own` names as `path`: in the folder of `own`, unless `path`
 * is absolute. To be freed; NULL: out of memory. */
char *compile_file_beside(const char *own, const char *path);

#endif
