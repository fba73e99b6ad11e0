/* SPDX-License-Identifier: Apache-2.0 */
/* os_folder: folders, what is in them, and temporary ones. */
#ifndef OS_FOLDER_H
#define OS_FOLDER_H

#include <stdbool.h>
#include <stddef.h>

/* Makes a folder; false with errno. */
bool os_folder_make(const char *path);
/* Are both paths, links followed, those of one folder? */
bool os_folder_is_same(const char *left, const char *right);
/* The names in a folder but . and .., sorted; the caller frees each and the array. NULL with errno. */
char **os_folder_list(const char *path, size_t *count);

/* The folder for temporary files: on POSIX the one that TMPDIR names, or /tmp. */
const char *os_folder_temporary(void);
/* Makes a new folder there, whose name starts with `prefix`, and writes its path to `path`, which has
 * `size` bytes. False with errno. */
bool os_folder_make_temporary(const char *prefix, char *path, size_t size);
/* Removes the folder with all that is in it. Links are removed, not followed. */
void os_folder_remove(const char *path);

#endif
