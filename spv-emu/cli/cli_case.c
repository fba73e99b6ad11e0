/* SPDX-License-Identifier: Apache-2.0 */
/* cli_case: see cli_case.h. */
#include "spv-emu/cli/cli_case.h"

#include "spv-emu/cli/cli_module.h"
#include "spv-emu/cli/cli_profiled.h"

#include "harness/shader/file.h"
#include "passes/tool/tool_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE = 1024 };

static bool say(const EmuCli *cli, const char *message) {
  return emu_cli_module_say(cli->input, message);
}

/* ---- AmberScript ----------------------------------------------------------------------------- */

/* An AmberScript begins with "#!amber", a VkScript with a comment or a section in brackets;
 * assembly text begins with neither. */
static bool is_script(const ToolInput *in) {
  const char *text = in->bytes + strspn(in->bytes, " \t\r\n");
  return *text == '#' || *text == '[';
}

static bool read_script(const EmuCli *cli, const ToolInput *in, EmuCase *c, int *code) {
  const AmberFiles files = {hn_file_read_beside, (void *)cli->input};
  AmberMessage parsed;
  char *made;
  if (tool_source_is_glsl(in))
    return tool_source_refuse_glsl(cli->input);
  if (cli->source.first) {
    *code = TOOL_USAGE;
    return tool_wrong("%s applies to shader sources; %s is an AmberScript", cli->source.first,
                      cli->input);
  }
  if (cli->bare_option) {
    *code = TOOL_USAGE;
    return tool_wrong("--%s applies to modules; %s is an AmberScript", cli->bare_option,
                      cli->input);
  }
  if (amber_parse(in->bytes, in->count, &files, &c->script, &parsed) != AMBER_OK)
    return say(cli, parsed.text);
  bool sources = cli->annotate || cli->report;
  if ((sources ? hn_shaders_make_with_source : hn_shaders_make)(c->script, &c->modules, &made) !=
      HN_PASS) {
    say(cli, made);
    free(made);
    return false;
  }
  return true;
}

static bool load_script(const EmuCli *cli, const spv_emu_spec *varied, uint32_t varied_count,
                        EmuCase *c) {
  const EmuAmberOptions options = {
      .transform = cli->transform,
      .subgroup_size = cli->subgroup_size,
      .check_uniform = cli->check_uniform,
      .check_vuid = cli->check_vuid,
      .mixed = cli->mixed,
      .varied = varied,
      .varied_count = varied_count,
      .orders = cli->profiled->texts,
      .order_count = cli->profiled->text_count,
  };
  char message[MESSAGE];
  if (emu_amber_open(c->script, c->modules, &options, &c->amber, message, sizeof message) !=
      SPV_EMU_OK)
    return say(cli, message);
  if (emu_amber_notice(c->amber))
    tool_say(cli->input, "note: %s", emu_amber_notice(c->amber));
  return true;
}

/* ---- a module -------------------------------------------------------------------------------- */

/* Keeps the module's words, which are taken from the input. */
static bool read_words(const EmuCli *cli, ToolInput *in, EmuCase *c, int *code) {
  if (!emu_cli_module_read(cli->input, in, &c->module))
    return false;
  c->stage = spv_emu_stage_of(c->module.words, c->module.count, cli->entry);
  return emu_cli_draw_check(cli, c->stage, code) && emu_cli_draw_read(cli, &c->draw);
}

/* The message names the file of the values instead of the input. */
static bool read_value(EmuValues *values) {
  char message[MESSAGE];
  if (emu_values_read(values, message, sizeof message))
    return true;
  fprintf(stderr, "%s: %s\n", tool_program, message);
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

/* Compiles a source, of any stage: loading refuses those that have no invocations to dispatch. */
static bool compile_source(const EmuCli *cli, ToolInput *in, EmuCase *c) {
  CompileStage stage;
  c->source = tool_source_compile(&cli->source, cli->input, in, &stage);
  return c->source;
}

/* ---- what it runs on ------------------------------------------------------------------------- */

static void print_guess(const EmuGuess *guess, FILE *out) {
  for (uint32_t i = 0; i < guess->count; i++) {
    const EmuGuessed *made = &guess->items[i];
    fprintf(out, "  %s=%s%s%s\n", emu_guess_option(made->kind), made->text,
            *made->name ? "  # " : "", made->name);
  }
}

/* The options that give what is made up, to copy from. NULL: out of memory. */
static char *guess_text(const EmuCli *cli, const EmuCase *c, bool dispatch) {
  const uint32_t *groups = c->contents.options.groups;
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out)
    return NULL;
  if (dispatch)
    fprintf(out, "  --dispatch=%u,%u,%u\n", groups[0], groups[1], groups[2]);
  if (c->stage != SPV_EMU_COMPUTE)
    emu_cli_draw_tell(cli, c->stage, out);
  print_guess(&c->contents.guess, out);
  print_guess(&c->draw.contents.guess, out);
  if (c->stage != SPV_EMU_COMPUTE)
    emu_cli_draw_tell_inputs(cli, c->stage, c->program, &c->draw, out);
  return fclose(out) ? NULL : text;
}

/* Prints the options that give what is made up; a second time only if another subgroup size changes
 * them. */
static bool tell(const EmuCli *cli, bool dispatch, EmuCase *c) {
  if (c->told)
    return true;
  c->told = guess_text(cli, c, dispatch);
  if (!c->told)
    return say(cli, "out of memory");
  const EmuCase *last = c->last;
  bool again = last && last->told && last->input == c->input && !strcmp(last->told, c->told);
  if (*c->told && !again && !cli->several) {
    tool_say(cli->input, "made up with --seed=%llu, as these options would give it:",
             (unsigned long long)cli->seed);
    fputs(c->told, stderr);
  }
  return true;
}

static EmuBareOptions given_by(const EmuCli *cli) {
  return (EmuBareOptions){.groups = {cli->groups[0], cli->groups[1], cli->groups[2]},
                          .buffers = cli->buffers,
                          .buffer_count = cli->buffer_count,
                          .samplers = cli->samplers,
                          .sampler_count = cli->sampler_count,
                          .push_constants = cli->push_constants,
                          .push_constant_count = cli->push_constant_count};
}

/* The contents of the module that this one is compared with; NULL: there is none. */
static const EmuBareOptions *contents_before(const EmuCase *c) {
  const EmuCase *before = c->last;
  while (before && before->input == c->input)
    before = before->last;
  return before && before->bare && c->stage == SPV_EMU_COMPUTE ? &before->contents.options : NULL;
}

/* Makes up what the options do not give, the dispatch included. If nothing else is made up for a
 * module, its dispatch is one workgroup. */
static bool make_contents(const EmuCli *cli, EmuCase *c) {
  char message[MESSAGE];
  EmuBareOptions given = given_by(cli);
  const EmuBareOptions *before = cli->guess ? contents_before(c) : NULL;
  if (before)
    return (emu_contents_make_like(c->program, before, cli->seed, &c->contents, message,
                                   sizeof message) ||
            say(cli, message)) &&
           tell(cli, false, c);
  bool dispatch = cli->guess && !cli->dispatched && c->stage == SPV_EMU_COMPUTE;
  if (dispatch)
    emu_guess_dispatch(c->program, given.groups);
  if (c->stage != SPV_EMU_COMPUTE)
    emu_cli_draw_groups(cli, c->stage, &given);
  if (!emu_contents_make(c->program, &given, cli->guess ? &cli->seed : NULL, 1, &c->contents,
                         message, sizeof message))
    return say(cli, message);
  if (dispatch && !c->contents.guess.count && !c->source) {
    memcpy(c->contents.options.groups, cli->groups, sizeof cli->groups);
    dispatch = false;
  }
  return (c->stage == SPV_EMU_COMPUTE || emu_cli_draw_contents(cli, &c->contents, &c->draw)) &&
         tell(cli, dispatch, c);
}

/* What runs, as text. */
static bool name_dispatch(const EmuCli *cli, EmuCase *c) {
  const uint32_t *groups = c->contents.options.groups;
  free(c->dispatch);
  if (c->stage != SPV_EMU_COMPUTE)
    c->dispatch = emu_cli_draw_text(cli, c->stage);
  else if (asprintf(&c->dispatch, "%u x %u x %u workgroups", groups[0], groups[1], groups[2]) < 0)
    c->dispatch = NULL;
  return c->dispatch || say(cli, "out of memory");
}

static bool load_words(const EmuCli *cli, const spv_emu_spec *specs, uint32_t count, EmuCase *c) {
  spv_emu_load_options load = {
      .entry = cli->entry,
      .specs = specs,
      .spec_count = count,
      .local_size = {cli->local_size[0], cli->local_size[1], cli->local_size[2]},
      .stage = c->stage,
  };
  return emu_cli_module_load(cli, &c->module, &load, &c->program) &&
         (c->stage == SPV_EMU_COMPUTE || emu_cli_draw_load(cli, c->stage, c->program, &c->draw));
}

/* Two buffers for one descriptor are refused; names have been replaced by places. */
static bool check_twice(const EmuCli *cli, const EmuBareBuffer *buffer) {
  for (const EmuBareBuffer *b = cli->buffers; b != buffer; b++)
    if (b->place.set == buffer->place.set && b->place.binding == buffer->place.binding &&
        b->element == buffer->element) {
      tool_say(cli->input, "--buffer gives set %u, binding %u, element %u twice", b->place.set,
               b->place.binding, b->element);
      return false;
    }
  return true;
}

/* Of a draw, a name that the input does not have may be one of the vertex shader's. */
static bool find_place(const EmuCli *cli, const EmuCase *c, EmuDescriptorPlace *place) {
  char message[MESSAGE], second[MESSAGE];
  return emu_bare_find(c->program, place, message, sizeof message) ||
         (c->draw.module.words && emu_bare_find(c->draw.vertex, place, second, sizeof second)) ||
         say(cli, message);
}

/* Replaces the names of buffers in options by their places. */
static bool find_places(EmuCli *cli, const EmuCase *c) {
  for (uint32_t i = 0; i < cli->buffer_count; i++)
    if (!find_place(cli, c, &cli->buffers[i].place))
      return false;
    else if (!check_twice(cli, &cli->buffers[i]))
      return false;
  for (uint32_t i = 0; i < cli->dump_count; i++)
    if (!find_place(cli, c, &cli->dumps[i].place))
      return false;
  return true;
}

/* Varied constants come before those of the command line, so that they take precedence. */
static bool load_module(EmuCli *cli, const spv_emu_spec *varied, uint32_t varied_count,
                        EmuCase *c) {
  char message[MESSAGE];
  spv_emu_spec *specs = calloc(cli->spec_count + varied_count + 1u, sizeof *specs);
  uint32_t count = 0;
  if (!specs)
    return say(cli, "out of memory");
  while (count < varied_count) {
    specs[count] = varied[count];
    count++;
  }
  for (uint32_t i = 0; i < cli->spec_count; i++)
    specs[count++] = cli->specs[i];
  bool good = load_words(cli, specs, count, c);
  free(specs);
  if (!good || !find_places(cli, c) || !read_values(cli) || !make_contents(cli, c) ||
      !name_dispatch(cli, c))
    return false;
  if (c->stage != SPV_EMU_COMPUTE)
    return emu_cli_draw_open(cli, c->stage, c->program, &c->contents, &c->draw);
  return emu_bare_open(c->program, &c->contents.options, &c->bare, message, sizeof message) ==
             SPV_EMU_OK ||
         say(cli, message);
}

/* ---- scripts and modules --------------------------------------------------------------------- */

bool emu_case_read(EmuCli *cli, const EmuCase *last, EmuCase *c, int *code) {
  ToolInput in;
  *c = (EmuCase){.input = cli->input, .last = last};
  *code = EXIT_FAILURE;
  bool good = tool_read(cli->input, &in);
  if (good && tool_source_is(&cli->source, cli->input))
    good = compile_source(cli, &in, c);
  if (good)
    good = !in.binary && is_script(&in) ? read_script(cli, &in, c, code)
                                        : read_words(cli, &in, c, code);
  free(in.bytes);
  return good;
}

static void unload(EmuCase *c) {
  emu_amber_close(c->amber);
  emu_bare_close(c->bare);
  emu_cli_draw_unload(&c->draw);
  emu_contents_free(&c->contents);
  spv_emu_free(c->program);
  c->amber = NULL;
  c->bare = NULL;
  c->program = NULL;
}

bool emu_case_load(EmuCli *cli, EmuCase *c, const spv_emu_spec *varied, uint32_t count) {
  unload(c);
  return c->script ? load_script(cli, varied, count, c) : load_module(cli, varied, count, c);
}

spv_emu_status emu_case_run(EmuCase *c, const spv_emu_run_options *how, EmuRow *row, char *message,
                            size_t message_size) {
  return c->amber       ? emu_amber_run(c->amber, how, row, message, message_size)
         : c->draw.draw ? emu_bare_draw_run(c->draw.draw, how, row, message, message_size)
                        : emu_bare_run(c->bare, how, row, message, message_size);
}

uint32_t emu_case_drawn(const EmuCase *c, EmuDrawn drawn[EMU_AMBER_DRAWN]) {
  uint32_t count = 0;
  if (c->amber)
    return emu_amber_drawn(c->amber, drawn);
  if (!c->draw.draw)
    return 0;
  const EmuDrawn *all = emu_bare_draw_attachments(c->draw.draw, &count);
  memcpy(drawn, all, count * sizeof *drawn);
  return count;
}

bool emu_case_pictures(const EmuCase *c, EmuRow *row) {
  EmuDrawn drawn[EMU_AMBER_DRAWN];
  uint32_t count = emu_case_drawn(c, drawn);
  return emu_row_pictures(row, drawn, count);
}

void emu_case_close(EmuCase *c) {
  unload(c);
  if (c->script)
    hn_shaders_free(c->modules, c->script->shader_count);
  amber_destroy(c->script);
  emu_cli_draw_close(&c->draw);
  emu_cli_module_free(&c->module);
  free(c->told);
  free(c->dispatch);
}
