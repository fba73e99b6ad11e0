/* cli_case: see cli_case.h. */
#include "cli_case.h"

#include "driver/cli_file.h"
#include "file.h"

#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE = 1024 };

static bool say(const EmuCli *cli, const char *message) {
  cli_say(cli->input, "%s", message);
  return false;
}

/* ---- AmberScript ---- */

/* AmberScripts begin with "#!amber", VkScripts, which are refused, with a section in brackets;
 * assembly text has neither at its start. */
static bool is_script(const CliInput *in) {
  const char *text = in->bytes + strspn(in->bytes, " \t\r\n");
  return *text == '#' || *text == '[';
}

static bool read_beside(void *user, const char *path, size_t limit, uint8_t **bytes, size_t *size) {
  char *full = hn_file_beside(user, path);
  bool good = full && hn_file_read(full, limit, bytes, size);
  free(full);
  return good;
}

static bool open_script(const EmuCli *cli, const CliInput *in, EmuCase *c, int *code) {
  const AmberFiles files = {read_beside, (void *)cli->input};
  const EmuAmberOptions options = {cli->transform, cli->subgroup_size, cli->check_uniform};
  AmberMessage parsed;
  char message[MESSAGE], *made;
  if (cli->bare_option) {
    *code = CLI_USAGE;
    return cli_wrong("--%s is for modules; %s is an AmberScript", cli->bare_option, cli->input);
  }
  if (amber_parse(in->bytes, in->count, &files, &c->script, &parsed) != AMBER_OK)
    return say(cli, parsed.text);
  if (!(cli->annotate ? hn_shaders_make_with_source : hn_shaders_make)(c->script, &c->modules,
                                                                       &made)) {
    say(cli, made);
    free(made);
    return false;
  }
  if (emu_amber_open(c->script, c->modules, &options, &c->amber, message, sizeof message) !=
      SPV_EMU_OK)
    return say(cli, message);
  return true;
}

/* ---- a module ---- */

/* Assembly text through spvreconv, which changes nothing. */
static bool load_words(const EmuCli *cli, const CliInput *in, const spv_emu_load_options *options,
                       EmuCase *c, char *message) {
  spvreconv_result *assembled = NULL;
  const uint32_t *words = (const uint32_t *)(const void *)in->bytes;
  size_t count = in->count / sizeof *words;
  if (!in->binary) {
    spvreconv_options none;
    spvreconv_options_init(&none, sizeof none);
    none.transform = "none";
    none.validate = SPVRECONV_VALIDATE_NONE;
    if (spvreconv_run_text(&none, in->bytes, in->count, &assembled) != SPVRECONV_OK) {
      say(cli, assembled ? spvreconv_result_message(assembled) : "out of memory");
      spvreconv_result_destroy(assembled);
      return false;
    }
    words = spvreconv_result_words(assembled, &count);
  }
  spv_emu_status status = spv_emu_load(words, count, options, &c->program, message, MESSAGE);
  spvreconv_result_destroy(assembled);
  return status == SPV_EMU_OK || say(cli, message);
}

/* The message names the file that it is about, so it needs no other. */
static bool read_value(EmuValues *values) {
  char message[MESSAGE];
  if (emu_values_read(values, message, sizeof message))
    return true;
  fprintf(stderr, "%s: %s\n", cli_program, message);
  return false;
}

static bool read_values(EmuCli *cli) {
  for (uint32_t i = 0; i < cli->buffer_count; i++)
    if (!read_value(&cli->buffers[i].values))
      return false;
  for (uint32_t i = 0; i < cli->push_constant_count; i++)
    if (!read_value(&cli->push_constants[i]))
      return false;
  return true;
}

static bool open_module(EmuCli *cli, const CliInput *in, EmuCase *c) {
  char message[MESSAGE];
  const spv_emu_load_options load = {
      .entry = cli->entry,
      .transform = cli->transform,
      .specs = cli->specs,
      .spec_count = cli->spec_count,
      .subgroup_size = cli->subgroup_size,
      .check_uniform = cli->check_uniform,
      .local_size = {cli->local_size[0], cli->local_size[1], cli->local_size[2]},
  };
  c->options = (EmuBareOptions){.groups = {cli->groups[0], cli->groups[1], cli->groups[2]},
                                .buffers = cli->buffers,
                                .buffer_count = cli->buffer_count,
                                .push_constants = cli->push_constants,
                                .push_constant_count = cli->push_constant_count};
  if (!load_words(cli, in, &load, c, message) || !read_values(cli))
    return false;
  if (emu_bare_open(c->program, &c->options, &c->bare, message, sizeof message) != SPV_EMU_OK)
    return say(cli, message);
  if (asprintf(&c->dispatch, "%u x %u x %u workgroups", cli->groups[0], cli->groups[1],
               cli->groups[2]) < 0)
    c->dispatch = NULL;
  return c->dispatch || say(cli, "out of memory");
}

/* ---- either ---- */

bool emu_case_open(EmuCli *cli, EmuCase *c, int *code) {
  CliInput in;
  *c = (EmuCase){0};
  *code = EXIT_FAILURE;
  bool good = cli_read(cli->input, &in);
  if (good)
    good = !in.binary && is_script(&in) ? open_script(cli, &in, c, code) : open_module(cli, &in, c);
  free(in.bytes);
  return good;
}

spv_emu_status emu_case_run(EmuCase *c, const spv_emu_run_options *how, EmuRow *row, char *message,
                            size_t message_size) {
  return c->amber ? emu_amber_run(c->amber, how, row, message, message_size)
                  : emu_bare_run(c->bare, how, row, message, message_size);
}

void emu_case_close(EmuCase *c) {
  emu_amber_close(c->amber);
  if (c->script)
    hn_shaders_free(c->modules, c->script->shader_count);
  amber_destroy(c->script);
  emu_bare_close(c->bare);
  spv_emu_free(c->program);
  free(c->dispatch);
}
