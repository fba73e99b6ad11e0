/* SPDX-License-Identifier: Apache-2.0 */
/* cli_paths: --profile=FILE. The paths that lanes take under tf-stack with LRPO priorities, for
 * --priority=profile:FILE and spvreconv --order=profile:FILE (format: tool/tool_profile.h). */
#ifndef EMU_CLI_PATHS_H
#define EMU_CLI_PATHS_H

#include "spv-emu/cli/cli_case.h"

/* Runs the loaded case once more and writes the file. False: one line is on standard error. */
bool emu_cli_paths(const EmuCli *cli, EmuCase *c, const char *file);

#endif
