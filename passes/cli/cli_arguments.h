/* SPDX-License-Identifier: Apache-2.0 */
/* cli_arguments: the arguments of a command line, with those that are kept in files (@FILE). */
#ifndef CLI_ARGUMENTS_H
#define CLI_ARGUMENTS_H

#include <stdbool.h>

typedef struct CliArguments {
  int count;
  char **at;    /* ends with NULL, as main's */
  char **texts; /* the files' contents, which hold their words */
  int text_count;
} CliArguments;

/* Replaces each argument @FILE by the words in FILE, as compilers do: separated by white space;
 * single and double quotes hold words together, and a backslash takes the next character as it is.
 * Words from a file that begin with @ stay. After -- nothing is replaced. False: a line has been
 * printed. */
bool cli_arguments(int argc, char **argv, CliArguments *a);
void cli_arguments_free(CliArguments *a);

#endif
