/* SPDX-License-Identifier: Apache-2.0 */
/* cli_case: see cli_case.h. */
#include "spv-emu/cli/cli_case.h"

#include "spv-emu/cli/cli_debug.h"
#include "spv-emu/cli/cli_module.h"
#include "spv-emu/cli/cli_profiled.h"

#include "harness/shader/case_file.h"
#include "passes/tool/tool_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE = 1024, MOST_INVOCATIONS = 1 << 22 /* of a dispatch with a heat map */ };

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
  const AmberFiles files = hn_files_beside(cli->input);
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
  bool sources = cli->annotate || cli->advise || cli->report || emu_cli_debugs(cli);
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
      .debug = emu_cli_debugs(cli),
      .check_convergence = cli->check_convergence,
      .tangles = cli->tangles,
      .mixed = cli->mixed,
      .varied = varied,
      .varied_count = varied_count,
      .orders = cli->profiled->texts,
      .order_count = cli->profiled->text_count,
  };
  char message[MESSAGE];
  if (emu_amber_open(c->script, c->modules, &options, &c->amber, message, sizeof message) !=
      SPV_EMU_OK)
    return emu_cli_module_refuse(cli, cli->input, message);
  if (emu_amber_notice(c->amber) && !cli->refusal)
    tool_say(cli->input, "note: %s", emu_amber_notice(c->amber));
  return true;
}

/* ---- a module -------------------------------------------------------------------------------- */

/* Keeps the module's words, which are taken from the input. */
static bool read_words(const EmuCli *cli, ToolInput *in, EmuCase *c, int *code) {
  if (!emu_cli_module_read(cli->input, in, &c->module))
    return false;
  c->stage = spv_emu_stage_of(c->module.words, c->module.count, cli->given.entry);
  return emu_cli_draw_check(cli, c->stage, code) && emu_cli_draw_read(cli, &c->draw);
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
             (unsigned long long)cli->given.seed);
    fputs(c->told, stderr);
  }
  return true;
}

/* The contents of the module that this one is compared with; NULL: there is none. */
static const EmuBareOptions *contents_before(const EmuCase *c) {
  const EmuCase *before = c->last;
  while (before && before->input == c->input)
    before = before->last;
  return before && before->bare && c->stage == SPV_EMU_COMPUTE ? &before->contents.options : NULL;
}

/* Do the options give all contents, so that the dispatch is one workgroup? A source without any
 * resources is dispatched like others. */
static bool gives_all(const EmuCli *cli, const EmuCase *c) {
  bool gives = cli->given.buffer_count || cli->given.sampler_count;
  return !c->contents.guess.count && (!c->source || (gives && !cli->given.chosen));
}

/* Makes up what the options do not give, the dispatch included. */
static bool make_contents(const EmuCli *cli, EmuCase *c) {
  char message[MESSAGE];
  EmuBareOptions given = emu_given_options(&cli->given);
  const EmuBareOptions *before = cli->given.guess ? contents_before(c) : NULL;
  if (before)
    return (emu_contents_make_like(c->program, before, &cli->given.seed, &c->contents, message,
                                   sizeof message) ||
            say(cli, message)) &&
           tell(cli, false, c);
  bool dispatch = cli->given.guess && !cli->given.groups[0] && c->stage == SPV_EMU_COMPUTE;
  if (dispatch)
    emu_guess_dispatch(c->program, given.groups);
  if (c->stage != SPV_EMU_COMPUTE)
    emu_cli_draw_groups(cli, c->stage, &given);
  if (!emu_contents_make(c->program, &given, cli->given.guess ? &cli->given.seed : NULL, 1,
                         &c->contents, message, sizeof message))
    return say(cli, message);
  if (dispatch && gives_all(cli, c)) {
    for (int i = 0; i < 3; i++)
      c->contents.options.groups[i] = 1;
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
  const uint32_t *local = cli->given.local_size;
  spv_emu_load_options load = {
      .entry = cli->given.entry,
      .specs = specs,
      .spec_count = count,
      .local_size = {local[0], local[1], local[2]},
      .stage = c->stage,
  };
  return emu_cli_module_load(cli, &c->module, &load, &c->program) &&
         (c->stage == SPV_EMU_COMPUTE || emu_cli_draw_load(cli, c->stage, c->program, &c->draw));
}

/* Replaces the names of buffers in options by their places. Of a draw, a name that the input does
 * not have may be one of the vertex shader's. */
static bool find_places(EmuCli *cli, const EmuCase *c) {
  char message[MESSAGE], second[MESSAGE];
  const spv_emu_program *vertex = c->draw.module.words ? c->draw.vertex : NULL;
  if (!emu_given_find(&cli->given, c->program, vertex, message, sizeof message))
    return say(cli, message);
  for (uint32_t i = 0; i < cli->dump_count; i++)
    if (!emu_bare_find(c->program, &cli->dumps[i].place, message, sizeof message) &&
        !(vertex && emu_bare_find(vertex, &cli->dumps[i].place, second, sizeof second)))
      return say(cli, message);
  return true;
}

/* The message names the file of the values instead of the input. */
static bool read_values(EmuCli *cli) {
  char message[MESSAGE];
  if (emu_given_read_files(&cli->given, message, sizeof message))
    return true;
  fprintf(stderr, "%s: %s\n", tool_program, message);
  return false;
}

/* Varied constants come before those of the command line, so that they take precedence. */
static bool load_module(EmuCli *cli, const spv_emu_spec *varied, uint32_t varied_count,
                        EmuCase *c) {
  char message[MESSAGE];
  spv_emu_spec *specs = calloc(cli->given.spec_count + varied_count + 1u, sizeof *specs);
  uint32_t count = 0;
  if (!specs)
    return say(cli, "out of memory");
  while (count < varied_count) {
    specs[count] = varied[count];
    count++;
  }
  for (uint32_t i = 0; i < cli->given.spec_count; i++)
    specs[count++] = cli->given.specs[i];
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

/* A dispatch of several rows of invocations, but not too many for a page. */
static bool is_flat(const EmuCase *c) {
  const uint32_t *size = spv_emu_local_size(c->program), *groups = c->contents.options.groups;
  uint64_t width = (uint64_t)size[0] * groups[0], height = (uint64_t)size[1] * groups[1];
  return height > 1 && width && height <= MOST_INVOCATIONS / width;
}

bool emu_case_has_map(const EmuCase *c) {
  if (c->amber)
    return emu_amber_draws(c->amber);
  return c->draw.draw || (c->bare && is_flat(c));
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
