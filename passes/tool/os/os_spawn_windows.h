/* SPDX-License-Identifier: Apache-2.0 */
/* os_spawn_windows: starts a program with other standard streams. */
#ifndef OS_SPAWN_WINDOWS_H
#define OS_SPAWN_WINDOWS_H

#include <stdint.h>

/* Starts the program, looked for in PATH, with these descriptors as its standard streams; -1 stands for
 * the empty device. Returns its handle; -1 with errno set. */
intptr_t os_spawn(const char *const *arguments, const int streams[3]);

#endif
