/* SPDX-License-Identifier: Apache-2.0 */
/* tool_shell: quotes the words of commands for a shell. */
#ifndef TOOL_SHELL_H
#define TOOL_SHELL_H

#include <stdio.h>

/* Writes a word of a command for a POSIX shell, quoted if necessary. */
void tool_shell_word(FILE *out, const char *word);

#endif
