/* SPDX-License-Identifier: Apache-2.0 */
/* tool_usage: wrong usage, reported in one line by all the project's command lines. getopt_long
 * finds the options, since argp cannot report in one line what is wrong. */
#ifndef TOOL_USAGE_H
#define TOOL_USAGE_H

#include "passes/base/compiler.h"

#include <stdbool.h>
#include <stdint.h>

struct option; /* getopt.h */

enum { TOOL_USAGE = 2 }; /* exit code of wrong usage */

/* The program's name, printed before each message; every program defines its own. */
extern const char tool_program[];

/* Prints "PROGRAM: …; see --help" on standard error. Returns false. */
bool tool_wrong(const char *format, ...) SR_PRINTF(1, 2);

/* Reports an error of getopt_long, given an option string that starts with ':': `key` is '?' or
 * ':', `text` the argument where getopt_long stopped, `table` the long options, whose keys are at
 * least `first_long`. Names the nearest option, or those that an abbreviation may mean. Returns
 * false. */
bool tool_refuse(int key, const char *text, int first_long, const struct option *table);

/* For --version: prints the program, its version and its licence on standard output. */
void tool_print_version(const char *version);

/* Reads a decimal number from `least` to `most`. False: the text is anything else. */
bool tool_number(const char *text, uint64_t least, uint64_t most, uint64_t *value);

/* Takes the name of the output of an option (or command) that cannot write to standard output;
 * `kind`: "a file" or "a folder". False, with one line on standard error: the text is empty, or
 * "-". */
bool tool_target(const char *option, const char *kind, const char *text, const char **target);

/* Reads X, X,Y or X,Y,Z, each 1 or more; missing sizes are 1. False, with one line on standard
 * error that names the option: the text is something else. */
bool tool_sizes(const char *option, const char *text, uint32_t sizes[3]);

/* Reads the WIDTHxHEIGHT of --framebuffer. False, with one line on standard error: the text is
 * something else. */
bool tool_framebuffer(const char *text, uint32_t sides[2]);

#endif
