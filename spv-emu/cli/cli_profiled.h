/* SPDX-License-Identifier: Apache-2.0 */
/* cli_profiled: --priority=profile:FILE and --order=profile:FILE: orders from profiles. */
#ifndef EMU_CLI_PROFILED_H
#define EMU_CLI_PROFILED_H

#include "spv-emu/cli/emu_options.h"

typedef struct EmuProfiled {
  spv_emu_order *orders; /* for run.priority */
  uint32_t count;
  const char **texts; /* for the transforms: --order, from a profile or not */
  uint32_t text_count;
} EmuProfiled;

/* Reads the profiles that cli->run.priority and cli->order name, and sets the priorities in
 * cli->run. False: one line is on standard error. Free the result in any case. */
bool emu_cli_profiled(EmuCli *cli, EmuProfiled *profiled);
void emu_cli_profiled_free(EmuProfiled *profiled);

#endif
