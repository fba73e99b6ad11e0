/* SPDX-License-Identifier: Apache-2.0 */
/* tool_arguments: the arguments of a command line, including those in files (@FILE). */
#ifndef TOOL_ARGUMENTS_H
#define TOOL_ARGUMENTS_H

#include <stdbool.h>

typedef struct ToolArguments {
  int count;
  char **at;    /* ends with NULL, as main's */
  char **texts; /* the contents of files; words in `at` point into them */
  int text_count;
} ToolArguments;

/* Replaces each argument @FILE by the words in FILE, as compilers do: separated by white space;
 * single and double quotes hold words together, and a backslash takes the next character as it is.
 * An argument @FILE stays as it is if FILE does not exist, since values of options may begin with
 * @; so do words with @ from a file, and all arguments after --. On failure prints a line and
 * returns false. */
bool tool_arguments(int argc, char **argv, ToolArguments *a);
void tool_arguments_free(ToolArguments *a);

#endif
