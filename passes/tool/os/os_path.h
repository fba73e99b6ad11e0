/* SPDX-License-Identifier: Apache-2.0 */
/* os_path: what names of files look like on this system. Folders are separated by / everywhere: Windows
 * accepts it, too. */
#ifndef OS_PATH_H
#define OS_PATH_H

#include <stdbool.h>

bool os_path_is_absolute(const char *path);
/* Is the program in a folder of PATH? */
bool os_path_has_program(const char *program);
/* On Windows, makes / of each \ in an argument that is not -D…: all of them are of names of files. */
void os_path_arguments(int argc, char **argv);

#endif
