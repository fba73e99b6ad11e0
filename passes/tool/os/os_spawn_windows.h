/* SPDX-License-Identifier: Apache-2.0 */
/* os_spawn_windows: starts a program with other standard streams. */
#ifndef OS_SPAWN_WINDOWS_H
#define OS_SPAWN_WINDOWS_H

#include <stdint.h>

/* Finds the program in PATH and starts it with these descriptors as its standard streams. A descriptor
 * of -1 means the empty device. Returns the program's handle; -1 with errno set. */
intptr_t os_spawn(const char *const *arguments, const int streams[3]);

#endif
