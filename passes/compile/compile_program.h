/* SPDX-License-Identifier: Apache-2.0 */
/* compile_program: compilers that are programs, looked up in PATH when they are needed, and a
 * folder of their own for their files. */
#ifndef COMPILE_PROGRAM_H
#define COMPILE_PROGRAM_H

#include "compile/compile.h"

typedef struct CompileWork {
  char folder[64];
} CompileWork;

bool compile_in_path(const char *program);

/* Makes the folder, in TMPDIR. False with errno. */
bool compile_work_open(CompileWork *work);
/* Removes the folder, with the files of these names and the log. */
void compile_work_close(CompileWork *work, const char *const *names, size_t count);
/* The path of a file in it. */
const char *compile_work_file(const CompileWork *work, const char *name, char path[128]);
/* Writes `head` and the text to such a file; false with errno. */
bool compile_work_write(const CompileWork *work, const char *name, const char *head,
                        const CompileText *text);
/* Runs a program to its end, with what it prints in the file "log". Does it exit with 0? */
bool compile_work_run(const CompileWork *work, const char *const *arguments);
/* That file, to be freed; NULL: it is not there, or out of memory. */
char *compile_work_log(const CompileWork *work);
/* Reads a module that a program wrote. False: it wrote none, or out of memory. */
bool compile_work_module(const CompileWork *work, const char *name, CompileResult *result);

/* Sets the log of a result to one line, an error in the file `name`. Returns COMPILE_WRONG. */
CompileOutcome compile_wrong(CompileResult *result, const char *name, const char *what);

#endif
