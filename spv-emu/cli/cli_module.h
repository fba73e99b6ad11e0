/* SPDX-License-Identifier: Apache-2.0 */
/* cli_module: a module or source named on the command line, read and loaded. */
#ifndef EMU_CLI_MODULE_H
#define EMU_CLI_MODULE_H

#include "passes/source/source_text.h"
#include "spv-emu/cli/emu_options.h"

/* Prints a message about a file; if memory ran out because an option limits it, prints a message
 * that says so. Returns false. */
bool emu_cli_module_say(const char *path, const char *message);
/* The same for a module that cannot be loaded, perhaps since a transform refuses it: keeps the
 * message in cli->refusal, if there is one. Returns false. */
bool emu_cli_module_refuse(const EmuCli *cli, const char *path, const char *message);

typedef struct EmuCliModule {
  const char *path;
  uint32_t *words; /* owned, like the text of `assembly`; NULL: it has not been read */
  size_t count;
  SrSourceText assembly; /* the text that the words were assembled from; text NULL: there is none */
} EmuCliModule;

/* Takes the words of an input, assembled if it is text. False: one line is on standard error. Free
 * the module in any case. */
bool emu_cli_module_read(const char *path, ToolInput *in, EmuCliModule *module);
void emu_cli_module_free(EmuCliModule *module);
/* Loads the module with the options that apply to every module, and those of `load`. False: as
 * above. */
bool emu_cli_module_load(const EmuCli *cli, const EmuCliModule *module, spv_emu_load_options *load,
                         spv_emu_program **program);

#endif
