/* SPDX-License-Identifier: Apache-2.0 */
/* artifact_folder: the folder of one failure. */
#ifndef HN_ARTIFACT_FOLDER_H
#define HN_ARTIFACT_FOLDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

typedef struct HnFolder {
  const char *path;
  bool good; /* everything could be written; else the first error is on standard error */
} HnFolder;

/* Makes the folder and those above it, and removes the files of an earlier failure from it. */
HnFolder hn_folder_make(const char *path);
/* The path of file `name` in the folder; the caller frees it. Characters that a file system may
 * refuse become "_". NULL: out of memory. */
char *hn_folder_file(const HnFolder *folder, const char *name);
void hn_folder_write(HnFolder *folder, const char *name, const void *bytes, size_t size);
/* Writes a text and frees it. `text` NULL: the caller ran out of memory, which counts as a failed
 * write. */
void hn_folder_write_text(HnFolder *folder, const char *name, char *text);
/* Records that a file could not be written, for the reason in errno. */
void hn_folder_fail(HnFolder *folder, const char *file);

/* Adds a name to a path; characters that a file system may refuse become "_", and a long name is
 * cut. A changed name gets a hash at its end, so that no two names become the same. */
void hn_folder_add_name(FILE *out, const char *name, size_t length);
/* The sorted names of the files in a folder; the caller frees each name and the array. NULL:
 * none. */
char **hn_folder_list(const char *path, size_t *count);

#endif
