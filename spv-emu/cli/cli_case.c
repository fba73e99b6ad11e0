/* SPDX-License-Identifier: Apache-2.0 */
/* cli_case: see cli_case.h. */
#include "cli/cli_case.h"

#include "cases/assemble.h"
#include "cli/cli_profiled.h"
#include "cli/cli_text.h"

#include "cli/cli_file.h"
#include "shader/file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE = 1024 };

static bool say(const EmuCli *cli, const char *message) {
  if (strcmp(message, "out of memory") != 0 || !cli_limit_say_memory())
    cli_say(cli->input, "%s", message);
  return false;
}

/* ---- AmberScript ----------------------------------------------------------------------------- */

/* An AmberScript begins with "#!amber", a VkScript with a comment or a section in brackets;
 * assembly text begins with neither. */
static bool is_script(const CliInput *in) {
  const char *text = in->bytes + strspn(in->bytes, " \t\r\n");
  return *text == '#' || *text == '[';
}

/* Is it GLSL, whatever its name? */
static bool is_glsl(const CliInput *in) {
  const char *text = in->bytes + strspn(in->bytes, " \t\r\n");
  return strncmp(text, "#version", strlen("#version")) == 0;
}

static bool refuse_glsl(const EmuCli *cli) {
  return say(cli, "this is GLSL: add --stage=comp, or name the file SHADER.comp");
}

static bool read_script(const EmuCli *cli, const CliInput *in, EmuCase *c, int *code) {
  const AmberFiles files = {hn_file_read_beside, (void *)cli->input};
  AmberMessage parsed;
  char *made;
  if (is_glsl(in))
    return refuse_glsl(cli);
  if (cli->source.first) {
    *code = CLI_USAGE;
    return cli_wrong("%s applies to shader sources; %s is an AmberScript", cli->source.first,
                     cli->input);
  }
  if (cli->bare_option) {
    *code = CLI_USAGE;
    return cli_wrong("--%s applies to modules; %s is an AmberScript", cli->bare_option, cli->input);
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

static bool load_script(const EmuCli *cli, const char *vary, uint64_t value, EmuCase *c) {
  const EmuAmberOptions options = {
      .transform = cli->transform,
      .subgroup_size = cli->subgroup_size,
      .check_uniform = cli->check_uniform,
      .mixed = cli->mixed,
      .vary = vary,
      .value = value,
      .orders = cli->profiled->texts,
      .order_count = cli->profiled->text_count,
  };
  char message[MESSAGE];
  return emu_amber_open(c->script, c->modules, &options, &c->amber, message, sizeof message) ==
             SPV_EMU_OK ||
         say(cli, message);
}

/* ---- a module -------------------------------------------------------------------------------- */

/* Keeps the module's words, which are taken from the input. */
static bool read_words(const EmuCli *cli, CliInput *in, EmuCase *c) {
  char *message;
  bool good = emu_assemble(in, &message) || say(cli, message ? message : "out of memory");
  free(message);
  if (!good)
    return false;
  c->words = (uint32_t *)(void *)in->bytes;
  c->word_count = in->count / sizeof *c->words;
  in->bytes = NULL;
  return true;
}

/* The message names the file of the values instead of the input. */
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

/* Compiles a source, of any stage: loading refuses those that have no invocations to dispatch. */
static bool compile_source(const EmuCli *cli, CliInput *in, EmuCase *c) {
  CompileStage stage;
  c->source = cli_source_compile(&cli->source, cli->input, in, &stage);
  return c->source;
}

/* ---- what it runs on ------------------------------------------------------------------------- */

/* The options that give what is made up, to copy from. NULL: out of memory. */
static char *guess_text(const EmuContents *contents, bool dispatch) {
  const uint32_t *groups = contents->options.groups;
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  if (!out)
    return NULL;
  if (dispatch)
    fprintf(out, "  --dispatch=%u,%u,%u\n", groups[0], groups[1], groups[2]);
  for (uint32_t i = 0; i < contents->guess.count; i++) {
    const EmuGuessed *made = &contents->guess.items[i];
    fprintf(out, "  %s=%s%s%s\n", emu_guess_option(made->kind), made->text,
            *made->name ? "  # " : "", made->name);
  }
  return fclose(out) ? NULL : text;
}

/* Prints the options that give what is made up; a second time only if another subgroup size changes
 * them. */
static bool tell(const EmuCli *cli, bool dispatch, EmuCase *c) {
  if (c->told)
    return true;
  c->told = guess_text(&c->contents, dispatch);
  if (!c->told)
    return say(cli, "out of memory");
  const EmuCase *last = c->last;
  bool again = last && last->told && last->input == c->input && !strcmp(last->told, c->told);
  if (*c->told && !again) {
    cli_say(cli->input, "made up with --seed=%llu, as these options would give it:",
            (unsigned long long)cli->seed);
    fputs(c->told, stderr);
  }
  return true;
}

/* Makes up what the options do not give, the dispatch included. If nothing else is made up for a
 * module, its dispatch is one workgroup. */
static bool make_contents(const EmuCli *cli, EmuCase *c) {
  char message[MESSAGE];
  EmuBareOptions given = {.groups = {cli->groups[0], cli->groups[1], cli->groups[2]},
                          .buffers = cli->buffers,
                          .buffer_count = cli->buffer_count,
                          .samplers = cli->samplers,
                          .sampler_count = cli->sampler_count,
                          .push_constants = cli->push_constants,
                          .push_constant_count = cli->push_constant_count};
  bool dispatch = cli->guess && !cli->dispatched;
  if (dispatch)
    emu_guess_dispatch(c->program, given.groups);
  if (!emu_contents_make(c->program, &given, cli->guess ? &cli->seed : NULL, 1, &c->contents,
                         message, sizeof message))
    return say(cli, message);
  if (dispatch && !c->contents.guess.count && !c->source) {
    memcpy(c->contents.options.groups, cli->groups, sizeof cli->groups);
    dispatch = false;
  }
  if (!tell(cli, dispatch, c))
    return false;
  const uint32_t *groups = c->contents.options.groups;
  free(c->dispatch);
  if (asprintf(&c->dispatch, "%u x %u x %u workgroups", groups[0], groups[1], groups[2]) < 0)
    c->dispatch = NULL;
  return c->dispatch || say(cli, "out of memory");
}

static bool load_words(const EmuCli *cli, const spv_emu_spec *specs, uint32_t count, EmuCase *c) {
  char message[MESSAGE];
  const spv_emu_load_options load = {
      .entry = cli->entry,
      .transform = cli->transform,
      .orders = cli->profiled->texts,
      .order_count = cli->profiled->text_count,
      .specs = specs,
      .spec_count = count,
      .subgroup_size = cli->subgroup_size,
      .check_uniform = cli->check_uniform,
      .local_size = {cli->local_size[0], cli->local_size[1], cli->local_size[2]},
      .shapes = true,
  };
  if (spv_emu_load(c->words, c->word_count, &load, &c->program, message, sizeof message) !=
      SPV_EMU_OK)
    return say(cli, message);
  bool listed = cli->report || (cli->annotate && cli->annotate_source);
  return !listed || emu_cli_texts(cli, c->program) || say(cli, "out of memory");
}

/* Two buffers for one descriptor are refused; names have been replaced by places. */
static bool check_twice(const EmuCli *cli, const EmuBareBuffer *buffer) {
  for (const EmuBareBuffer *b = cli->buffers; b != buffer; b++)
    if (b->place.set == buffer->place.set && b->place.binding == buffer->place.binding &&
        b->element == buffer->element) {
      cli_say(cli->input, "--buffer gives set %u, binding %u, element %u twice", b->place.set,
              b->place.binding, b->element);
      return false;
    }
  return true;
}

/* Replaces the names of buffers in options by their places. */
static bool find_places(EmuCli *cli, const spv_emu_program *program) {
  char message[MESSAGE];
  for (uint32_t i = 0; i < cli->buffer_count; i++)
    if (!emu_bare_find(program, &cli->buffers[i].place, message, sizeof message))
      return say(cli, message);
    else if (!check_twice(cli, &cli->buffers[i]))
      return false;
  for (uint32_t i = 0; i < cli->dump_count; i++)
    if (!emu_bare_find(program, &cli->dumps[i].place, message, sizeof message))
      return say(cli, message);
  return true;
}

/* The swept constant comes before those of the command line, so that it takes precedence. */
static bool load_module(EmuCli *cli, const char *vary, uint64_t value, EmuCase *c) {
  char message[MESSAGE];
  spv_emu_spec *specs = calloc(cli->spec_count + 1u, sizeof *specs);
  uint32_t count = vary != NULL;
  if (!specs)
    return say(cli, "out of memory");
  specs[0] = (spv_emu_spec){.name = vary, .bits = value};
  for (uint32_t i = 0; i < cli->spec_count; i++)
    specs[count++] = cli->specs[i];
  bool good = load_words(cli, specs, count, c);
  free(specs);
  if (!good || !find_places(cli, c->program) || !read_values(cli) || !make_contents(cli, c))
    return false;
  return emu_bare_open(c->program, &c->contents.options, &c->bare, message, sizeof message) ==
             SPV_EMU_OK ||
         say(cli, message);
}

/* ---- either ---------------------------------------------------------------------------------- */

bool emu_case_read(EmuCli *cli, const EmuCase *last, EmuCase *c, int *code) {
  CliInput in;
  *c = (EmuCase){.input = cli->input, .last = last};
  *code = EXIT_FAILURE;
  bool good = cli_read(cli->input, &in);
  if (good && cli_source_is(&cli->source, cli->input))
    good = compile_source(cli, &in, c);
  if (good)
    good = !in.binary && is_script(&in) ? read_script(cli, &in, c, code) : read_words(cli, &in, c);
  free(in.bytes);
  return good;
}

static void unload(EmuCase *c) {
  emu_amber_close(c->amber);
  emu_bare_close(c->bare);
  emu_contents_free(&c->contents);
  spv_emu_free(c->program);
  c->amber = NULL;
  c->bare = NULL;
  c->program = NULL;
}

bool emu_case_load(EmuCli *cli, EmuCase *c, const char *vary, uint64_t value) {
  unload(c);
  return c->script ? load_script(cli, vary, value, c) : load_module(cli, vary, value, c);
}

spv_emu_status emu_case_run(EmuCase *c, const spv_emu_run_options *how, EmuRow *row, char *message,
                            size_t message_size) {
  return c->amber ? emu_amber_run(c->amber, how, row, message, message_size)
                  : emu_bare_run(c->bare, how, row, message, message_size);
}

void emu_case_close(EmuCase *c) {
  unload(c);
  if (c->script)
    hn_shaders_free(c->modules, c->script->shader_count);
  amber_destroy(c->script);
  free(c->words);
  free(c->told);
  free(c->dispatch);
}
