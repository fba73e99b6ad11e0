/* SPDX-License-Identifier: Apache-2.0 */
/* compile_folder: temporary folders. */
#ifndef COMPILE_FOLDER_H
#define COMPILE_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/* The folder that TMPDIR names, or /tmp. */
const char *compile_folder_parent(void);
/* Makes a new folder there, whose name starts with `prefix`, and writes its path to `path`, which
 * has `size` bytes. False with errno. */
bool compile_folder_make(const char *prefix, char *path, size_t size);
/* Removes the folder with all that is in it. Links are removed, not followed. */
void compile_folder_remove(const char *path);

#endif
