/* SPDX-License-Identifier: Apache-2.0 */
/* compile_program: compilers that are programs, looked up in PATH when they are needed, and a
 * temporary folder for their files. */
#ifndef COMPILE_PROGRAM_H
#define COMPILE_PROGRAM_H

#include "passes/tool/compile/compile.h"
#include "passes/tool/os/os_signals.h"

#include <limits.h>

typedef char CompilePath[PATH_MAX];

typedef struct CompileWork {
  char folder[PATH_MAX - 64]; /* with room for a file's name */
  OsSignals signals;
} CompileWork;

/* Makes the folder, in TMPDIR. Signals that end the process are held until compile_work_close.
 * False: the result's log has one line, an error in the file `name`. */
bool compile_work_open(CompileWork *work, CompileResult *result, const char *name);
/* Removes the folder with all that is in it. Does not return if a signal that ends the process has
 * arrived since compile_work_open. */
void compile_work_close(CompileWork *work);
/* The path of file `name` in the folder. */
const char *compile_work_file(const CompileWork *work, const char *name, CompilePath path);
/* Writes `head` and the text to file `name` in the folder; false with errno. */
bool compile_work_write(const CompileWork *work, const char *name, const char *head,
                        const CompileText *text);
/* Runs a program to its end; the folder's file "log" holds what it prints. Returns whether the
 * program exits with 0. */
bool compile_work_run(const CompileWork *work, const char *const *arguments);
/* The text of "log", to be freed; NULL: there is no such file, or out of memory. */
char *compile_work_log(const CompileWork *work);
/* Reads the module that a program wrote to file `name` in the folder. False: there is none, or out
 * of memory. */
bool compile_work_module(const CompileWork *work, const char *name, CompileResult *result);

/* Sets the log of a result to one line, an error in the file `name`. Returns COMPILE_WRONG. */
CompileOutcome compile_wrong(CompileResult *result, const char *name, const char *what);

#endif
