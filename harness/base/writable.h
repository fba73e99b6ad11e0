/* SPDX-License-Identifier: Apache-2.0 */
/* writable: checks before a long run that its results can be written. */
#ifndef HN_WRITABLE_H
#define HN_WRITABLE_H

#include <stdbool.h>

/* Can a file of this name be written? Changes nothing. On false *message is one line, which the
 * caller frees. */
bool hn_writable(const char *path, char **message);
/* Can files be created in the folder? */
bool hn_writable_folder(const char *path, char **message);
/* Are both the same existing file? */
bool hn_is_same_file(const char *a, const char *b);
/* Is standard output open for writing? */
bool hn_writable_standard(char **message);

#endif
