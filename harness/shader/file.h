/* SPDX-License-Identifier: Apache-2.0 */
/* file: reads the files that a case names. */
#ifndef HN_FILE_H
#define HN_FILE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HN_FILE_MOST = 256 << 20 }; /* bytes of a case file */

/* Reads a file that a case names, whose path is relative to the case's folder: an AmberReadFile
 * (script.h) whose `user` is the path of the case. */
bool hn_file_read_beside(void *user, const char *path, size_t limit, uint8_t **bytes, size_t *size);

#endif
