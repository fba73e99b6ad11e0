/* SPDX-License-Identifier: Apache-2.0 */
/* cli_text: reads from disk the source files that a module names but whose texts it does not
 * hold. */
#ifndef EMU_CLI_TEXT_H
#define EMU_CLI_TEXT_H

#include "spv-emu/cli/emu_options.h"

/* Looks for each such file in the folders of -I and in the module's folder, first by its whole name
 * and then by the last part of it; and finally under the name as it is. A file that is not found,
 * not a regular file, too large or not text stays without a text. False: out of memory. */
bool emu_cli_texts(const EmuCli *cli, spv_emu_program *program);

#endif
