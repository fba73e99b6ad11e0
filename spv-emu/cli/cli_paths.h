/* cli_paths: --profile=FILE. The paths that lanes take under tf-stack with LRPO priorities, for
 * --priority=profile:FILE and spvreconv --order=profile:FILE (cli/cli_profile.h says what is in
 * it). */
#ifndef EMU_CLI_PATHS_H
#define EMU_CLI_PATHS_H

#include "cli/cli_case.h"

/* Runs the case, which is loaded, once more and writes the file. False: one line on standard error.
 */
bool emu_cli_paths(const EmuCli *cli, EmuCase *c, const char *file);

#endif
