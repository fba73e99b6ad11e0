/* SPDX-License-Identifier: Apache-2.0 */
/* cli_inputs: several inputs: those named, and the modules, cases and shaders below folders. */
#ifndef EMU_CLI_INPUTS_H
#define EMU_CLI_INPUTS_H

#include "spv-emu/cli/emu_options.h"

typedef struct EmuCliInputs {
  char **at; /* paths, owned */
  size_t count, room;
} EmuCliInputs;

/* Lists the inputs in the order in which they are named, those below a folder by name. A line on
 * standard error says what is left out, and why. False: one line says what is wrong; of a folder,
 * that nothing below it can run. Free the inputs in any case. */
bool emu_cli_inputs_list(const EmuCli *cli, EmuCliInputs *inputs);
void emu_cli_inputs_free(EmuCliInputs *inputs);

#endif
