/* SPDX-License-Identifier: Apache-2.0 */
/* cli_debug: --debug and --trace-values: where commands come from, and where output goes.
 *
 * At a terminal, lines are read with GNU readline if its library is there: it is opened when the
 * first command is read, so that other runs do not load it. Otherwise commands come from a file or
 * from standard input. Each command is then printed before its output, so that the whole is a
 * transcript. A file is read from its start for each policy. */
#ifndef EMU_CLI_DEBUG_H
#define EMU_CLI_DEBUG_H

#include "spv-emu/cli/emu_options.h"

#include <stdio.h>

typedef struct EmuCliDebug {
  const EmuCli *cli;
  FILE *script;  /* NULL: commands come from a terminal, or there are none */
  void *library; /* readline; NULL: not opened, or not there */
  char *(*readline)(const char *prompt);
  void (*add_history)(const char *line);
  char *line, *last; /* the last line read; the last command that was not empty */
  size_t room;
  char *text;         /* the names of --trace-values, separated */
  const char **names; /* in `text` */
  bool started;       /* a run has begun */
  spv_emu_debug to;
} EmuCliDebug;

/* Is a program to be loaded for a debugger? */
bool emu_cli_debugs(const EmuCli *cli);
/* Opens the script. False: one line is on standard error. Close in any case. */
bool emu_cli_debug_open(EmuCliDebug *d, const EmuCli *cli);
/* The debugger for the run under a policy (NULL: the emulator's choice); NULL: none is wanted. */
const spv_emu_debug *emu_cli_debug_start(EmuCliDebug *d, const char *policy);
/* Ends the debugger after a run. A note names those names of --trace-values that had no meaning. */
void emu_cli_debug_close(EmuCliDebug *d);

#endif
