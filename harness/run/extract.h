/* extract: the shaders of a case as files, for tools that read modules. */
#ifndef HN_EXTRACT_H
#define HN_EXTRACT_H

#include <stdbool.h>

/* Writes each shader that a pipeline of the case at `path` attaches, as it is written, to
 * FOLDER/NAME.spv and prints the file's name; generated ones (PASSTHROUGH) are left out. Characters
 * that do not go into the name of a file become "_". On false one line on standard error has said
 * why; files written by then stay. */
bool hn_extract(const char *path, const char *folder);

#endif
