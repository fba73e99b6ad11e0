/* SPDX-License-Identifier: Apache-2.0 */
/* shell: quotes the words of commands for a shell. */
#ifndef HN_SHELL_H
#define HN_SHELL_H

#include <stdio.h>

/* Writes a word of a command for a POSIX shell, quoted if necessary. */
void hn_shell_word(FILE *out, const char *word);

#endif
