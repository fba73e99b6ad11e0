/* SPDX-License-Identifier: Apache-2.0 */
/* cli_module: see cli_module.h. */
#include "spv-emu/cli/cli_module.h"

#include "spv-emu/cli/cli_debug.h"

#include "spv-emu/cases/assemble.h"
#include "spv-emu/cli/cli_profiled.h"
#include "spv-emu/cli/cli_text.h"

#include "passes/tool/tool_file.h"

#include <stdlib.h>
#include <string.h>

enum { MESSAGE = 1024 };

bool emu_cli_module_say(const char *path, const char *message) {
  if (strcmp(message, "out of memory") != 0 || !tool_limit_say_memory())
    tool_say(path, "%s", message);
  return false;
}

bool emu_cli_module_refuse(const EmuCli *cli, const char *path, const char *message) {
  if (!cli->refusal)
    return emu_cli_module_say(path, message);
  snprintf(cli->refusal, EMU_CLI_REFUSAL, "%s", message);
  return false;
}

bool emu_cli_module_read(const char *path, ToolInput *in, EmuCliModule *module) {
  char *message, *text = in->binary ? NULL : strndup(in->bytes, in->count);
  *module =
      (EmuCliModule){.path = path, .assembly = {.text = text, .size = text ? strlen(text) : 0}};
  bool good =
      emu_assemble(in, &message) || emu_cli_module_say(path, message ? message : "out of memory");
  free(message);
  if (!good)
    return false;
  module->words = (uint32_t *)(void *)in->bytes;
  module->count = in->count / sizeof *module->words;
  module->assembly.words = module->words;
  module->assembly.count = module->count;
  in->bytes = NULL;
  return true;
}

void emu_cli_module_free(EmuCliModule *module) {
  free(module->words);
  free((char *)module->assembly.text);
  *module = (EmuCliModule){0};
}

bool emu_cli_module_load(const EmuCli *cli, const EmuCliModule *module, spv_emu_load_options *load,
                         spv_emu_program **program) {
  char message[MESSAGE];
  load->transform = cli->transform;
  load->orders = cli->profiled->texts;
  load->order_count = cli->profiled->text_count;
  load->subgroup_size = cli->subgroup_size;
  load->check_uniform = cli->check_uniform;
  load->check_vuid = cli->check_vuid;
  load->debug = emu_cli_debugs(cli);
  load->check_convergence = cli->check_convergence;
  load->tangles = cli->tangles;
  load->shapes = true;
  if (spv_emu_load(module->words, module->count, load, program, message, sizeof message) !=
      SPV_EMU_OK) {
    if (module->assembly.text && !cli->transform) /* else the places are those of another module */
      sr_source_text_place(&module->assembly, message, sizeof message);
    return emu_cli_module_refuse(cli, module->path, message);
  }
  if (spv_emu_notice(*program) && !cli->refusal)
    tool_say(module->path, "note: %s", spv_emu_notice(*program));
  bool listed = cli->report || cli->advise || (cli->annotate && cli->annotate_source);
  return !listed || emu_cli_texts(cli, *program) ||
         emu_cli_module_say(module->path, "out of memory");
}
