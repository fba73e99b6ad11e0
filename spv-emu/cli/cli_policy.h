/* SPDX-License-Identifier: Apache-2.0 */
/* cli_policy: the options that policies have (spv_emu_policy_option_at), on the command line. A
 * listing is given as the name of a file, and so is the place to write a policy's program to. */
#ifndef EMU_CLI_POLICY_H
#define EMU_CLI_POLICY_H

#include "passes/tool/tool_file.h"

#include <getopt.h>
#include <spv-emu/spv_emu.h>

enum { EMU_CLI_POLICY_OPTIONS = 32 };

struct EmuCli;
struct EmuReport;

typedef struct EmuCliPolicy {
  const char *values[EMU_CLI_POLICY_OPTIONS]; /* by option; NULL: not given */
  ToolInput listings[EMU_CLI_POLICY_OPTIONS];
  spv_emu_choice choices[EMU_CLI_POLICY_OPTIONS];
} EmuCliPolicy;

/* The options `own`, which end with a name that is NULL, and after them those of policies, with the
 * keys `first` and following. To be freed; NULL: out of memory. */
struct option *emu_cli_policy_table(const struct option *own, int first);
/* Prints the lines of --help of the options that write a program, or of the others. */
void emu_cli_policy_help(bool dumps);
/* Do the options fit the policies and one another? False: one line is on standard error. */
bool emu_cli_policy_check(const struct EmuCli *cli);
/* The first given flag that writes a program, to standard output if `printed`; NULL: none. */
const char *emu_cli_policy_dump(const EmuCliPolicy *policy, bool printed);

/* Reads the listings, and sets cli->run. False: one line is on standard error. */
bool emu_cli_policy_open(struct EmuCli *cli);
void emu_cli_policy_close(EmuCliPolicy *policy);
/* Writes the programs of all rows to the files that the options name. */
bool emu_cli_policy_write(const struct EmuCli *cli, const struct EmuReport *report);

#endif
