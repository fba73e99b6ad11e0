/* SPDX-License-Identifier: Apache-2.0 */
/* file: reads the files of a case. */
#ifndef HN_FILE_H
#define HN_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HN_FILE_MOST = 256 << 20 }; /* bytes of a case file */

/* Reads a whole file into malloc'd memory. False, with errno: it cannot be read, or is larger than
 * `limit` bytes (EFBIG). */
bool hn_file_read(const char *path, size_t limit, uint8_t **bytes, size_t *size);

/* The path of a file that the case at `own` names, relative to the case's folder. To be freed;
 * NULL: out of memory. */
char *hn_file_beside(const char *own, const char *path);

/* Reads such a file: an AmberReadFile (script.h) whose `user` is the path of the case. */
bool hn_file_read_beside(void *user, const char *path, size_t limit, uint8_t **bytes, size_t *size);

#endif
