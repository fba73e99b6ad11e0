/* SPDX-License-Identifier: Apache-2.0 */
/* extract: writes the shaders of a case to files, for tools that read modules. */
#ifndef HN_EXTRACT_H
#define HN_EXTRACT_H

#include <stdbool.h>

/* Writes each shader that a pipeline of the case at `path` attaches, untransformed, to
 * FOLDER/NAME.spv and prints the file's name; generated shaders (PASSTHROUGH) are left out.
 * Characters that are not allowed in file names become "_". On false the reason is on standard
 * error, in one line; files already written stay. */
bool hn_extract(const char *path, const char *folder);

#endif
