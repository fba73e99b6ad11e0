/* SPDX-License-Identifier: Apache-2.0 */
/* cli_arguments: the arguments of a command line, including those in files (@FILE). */
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
 * An @FILE that does not exist stays, since values of options may begin with @; so do words from a
 * file that begin with @, and everything after --. On failure prints a line and returns false. */
bool cli_arguments(int argc, char **argv, CliArguments *a);
void cli_arguments_free(CliArguments *a);

#endif
