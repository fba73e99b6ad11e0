/* SPDX-License-Identifier: Apache-2.0 */
/* os_libc_windows: functions of POSIX that the sources use and the C library of Windows lacks. The build includes
 * this file at the start of every source of the tools (cmake/machine.cmake). */
#ifndef OS_LIBC_WINDOWS_H
#define OS_LIBC_WINDOWS_H

#include <stdio.h>
#include <string.h>
#include <sys/types.h>

FILE *open_memstream(char **text, size_t *size);
ssize_t getline(char **line, size_t *room, FILE *from);
char *strndup(const char *text, size_t most);
char *strcasestr(const char *text, const char *part);
void *memmem(const void *bytes, size_t size, const void *part, size_t part_size);

/* The text of a stream of open_memstream is known when it is closed. */
int os_libc_close(FILE *stream);
#define fclose os_libc_close
/* The C library's own makes files in the root folder. */
FILE *os_libc_temporary(void);
#define tmpfile os_libc_temporary
/* Windows' own adds \r to each line of a text. */
#define O_CLOEXEC (O_NOINHERIT | O_BINARY)
#define O_NONBLOCK 0
#define O_NOCTTY 0

#endif
