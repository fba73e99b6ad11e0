/* SPDX-License-Identifier: Apache-2.0 */
/* tool_batch: a command's work on several inputs, each in a process of its own: if one takes too
 * much memory or time, it fails alone.
 *
 * Each process prints to temporary files. They are printed in the order of the inputs: an input's
 * files wait until the processes of all earlier inputs are done. */
#ifndef TOOL_BATCH_H
#define TOOL_BATCH_H

#include <jansson.h>
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

/* What the process of an input has left. */
typedef struct ToolDone {
  const char *input;
  FILE *out, *err; /* what it printed, to be read from the start; NULL: it could not be started */
  int code;        /* its exit code; if a signal ended the process, the exit code that stands for
                      the signal */
} ToolDone;

typedef struct ToolBatch {
  const char *const *inputs;
  size_t count;
  const char *what; /* of the inputs, in the plural: "modules" */
  uint32_t jobs;    /* processes at a time; 0: as many as there are processors */
  /* The work on input i, in its process; returns the exit code. */
  int (*run)(void *user, size_t i);
  /* Takes what is left of input i; NULL: its output is copied to that of the command. */
  void (*done)(void *user, size_t i, const ToolDone *done);
  void *user;
  /* If a signal's handler sets it, no further input is started; NULL: none does. */
  const volatile sig_atomic_t *stop;
} ToolBatch;

/* Can several inputs be read on this system? False: a line on standard error says so, and the exit
 * code is TOOL_USAGE. */
bool tool_batch_possible(void);
/* Prints that memory ran out; returns false. */
bool tool_batch_no_memory(void);
/* Does the work. A line on standard error says how many inputs failed, if any did, or were done
 * before batch->stop was set; returns the highest exit code. */
int tool_batch_run(const ToolBatch *batch);

/* Copies what the process printed to standard output and standard error. Returns the first line of
 * the latter that is not a note, without the names of the program and the input, which the caller
 * frees; NULL: there is none. */
char *tool_batch_copy(const ToolDone *done);
/* The same, but if it printed a JSON object, or failed, a line for the object instead: of a failed
 * one with its "status" and "message". `begin` makes an object for an input without one; NULL: out
 * of memory. */
void tool_batch_copy_object(const ToolDone *done, json_t *(*begin)(const char *input));

#endif
