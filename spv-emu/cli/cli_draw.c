/* SPDX-License-Identifier: Apache-2.0 */
/* cli_draw: see cli_draw.h. */
#include "spv-emu/cli/cli_draw.h"

#include "spv-emu/cases/bare_vertex.h"

#include "passes/tool/tool_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MESSAGE = 1024,
  DEFAULT_SIDE = 256,    /* pixels */
  DEFAULT_VERTICES = 384 /* of a vertex shader alone: 12 subgroups of 32 */
};

/* ---- options --------------------------------------------------------------------------------- */

static const char *stage_name(spv_emu_stage stage) {
  static const char *const names[] = {
      [SPV_EMU_COMPUTE] = "compute", [SPV_EMU_VERTEX] = "vertex", [SPV_EMU_FRAGMENT] = "fragment"};
  return names[stage];
}

bool emu_cli_draw_check(const EmuCli *cli, spv_emu_stage stage, int *code) {
  const char *wrong = NULL, *applies = NULL;
  if (stage == SPV_EMU_COMPUTE && cli->draw_option) {
    wrong = cli->draw_option;
    applies = "fragment and vertex shaders";
  } else if (stage != SPV_EMU_COMPUTE && (cli->given.groups[0] || cli->given.local_size[0])) {
    wrong = cli->given.groups[0] ? "dispatch" : "local-size";
    applies = "compute shaders";
  } else if (stage == SPV_EMU_VERTEX &&
             (cli->vertex || cli->given.framebuffer[0] || emu_given_plain_image(&cli->given))) {
    wrong = cli->vertex ? "vertex" : cli->given.framebuffer[0] ? "framebuffer" : "image";
    applies = "fragment shaders";
  } else if (stage == SPV_EMU_FRAGMENT && cli->vertices && !cli->vertex) {
    *code = TOOL_USAGE;
    return tool_wrong("--vertices needs --vertex=SHADER, a vertex shader that places them");
  }
  if (!wrong)
    return true;
  *code = TOOL_USAGE;
  return tool_wrong("--%s applies to %s; %s is a %s shader", wrong, applies, cli->input,
                    stage_name(stage));
}

/* ---- reading --------------------------------------------------------------------------------- */

/* How the vertex shader is compiled: like the input, but --stage and --entry apply only to the
 * input. */
static ToolSource vertex_source(const EmuCli *cli) {
  CompileLanguage language;
  ToolSource source = cli->source;
  source.stage = COMPILE_NO_STAGE;
  source.entry = NULL;
  if (compile_kind_of(cli->vertex, &language, &source.stage) && source.stage == COMPILE_NO_STAGE)
    source.stage = COMPILE_VERTEX;
  return source;
}

bool emu_cli_draw_read(const EmuCli *cli, EmuCliDraw *draw) {
  ToolInput in = {0};
  CompileStage stage;
  *draw = (EmuCliDraw){0};
  if (!cli->vertex)
    return true;
  const ToolSource source = vertex_source(cli);
  if (tool_read(cli->vertex, &in) && (!tool_source_is(&source, cli->vertex) ||
                                      tool_source_compile(&source, cli->vertex, &in, &stage)))
    emu_cli_module_read(cli->vertex, &in, &draw->module);
  free(in.bytes);
  return draw->module.words;
}

/* ---- loading --------------------------------------------------------------------------------- */

static uint32_t vertices_of(const EmuCli *cli, spv_emu_stage stage) {
  return cli->vertices || stage == SPV_EMU_FRAGMENT ? cli->vertices : DEFAULT_VERTICES;
}

static uint32_t side(uint32_t given) {
  return given ? given : DEFAULT_SIDE;
}

static bool make_vertex(const EmuCli *cli, const spv_emu_program *input, EmuCliDraw *draw) {
  spv_emu_load_options load = {.stage = SPV_EMU_VERTEX, .subgroup_size = cli->subgroup_size};
  char message[MESSAGE] = "out of memory", *text = emu_vertex_shader(input);
  ToolInput in = {.bytes = text, .count = text ? strlen(text) : 0};
  EmuCliModule made = {0};
  bool read = text && emu_cli_module_read(cli->input, &in, &made);
  bool good = read && spv_emu_load(made.words, made.count, &load, &draw->vertex, message,
                                   sizeof message) == SPV_EMU_OK;
  if (!good && (read || !text))
    emu_cli_module_say(cli->input, message);
  emu_cli_module_free(&made);
  free(in.bytes);
  return good;
}

bool emu_cli_draw_load(const EmuCli *cli, spv_emu_stage stage, const spv_emu_program *input,
                       EmuCliDraw *draw) {
  spv_emu_load_options load = {.stage = SPV_EMU_VERTEX};
  if (stage == SPV_EMU_VERTEX)
    return true;
  return draw->module.words ? emu_cli_module_load(cli, &draw->module, &load, &draw->vertex)
                            : make_vertex(cli, input, draw);
}

bool emu_cli_draw_contents(const EmuCli *cli, const EmuContents *of_input, EmuCliDraw *draw) {
  char message[MESSAGE];
  uint64_t seed = cli->given.seed + of_input->guess.count;
  if (!draw->module.words)
    return true;
  return emu_contents_make(draw->vertex, &of_input->options, cli->given.guess ? &seed : NULL, 1,
                           &draw->contents, message, sizeof message) ||
         emu_cli_module_say(cli->vertex, message);
}

void emu_cli_draw_tell(const EmuCli *cli, spv_emu_stage stage, FILE *out) {
  if (stage == SPV_EMU_FRAGMENT && !cli->given.framebuffer[0])
    fprintf(out, "  --framebuffer=%ux%u\n", DEFAULT_SIDE, DEFAULT_SIDE);
  if (stage == SPV_EMU_VERTEX && !cli->vertices)
    fprintf(out, "  --vertices=%u\n", vertices_of(cli, stage));
}

void emu_cli_draw_tell_inputs(const EmuCli *cli, spv_emu_stage stage, const spv_emu_program *input,
                              const EmuCliDraw *draw, FILE *out) {
  if (stage == SPV_EMU_FRAGMENT && !draw->module.words)
    emu_vertex_tell(input, out);
  else
    emu_vertex_data_tell(draw->module.words ? draw->vertex : input, vertices_of(cli, stage), out);
}

bool emu_cli_draw_open(const EmuCli *cli, spv_emu_stage stage, const spv_emu_program *input,
                       const EmuContents *of_input, EmuCliDraw *draw) {
  char message[MESSAGE];
  bool alone = stage == SPV_EMU_VERTEX;
  const EmuBareDrawOptions options = {.vertex = alone ? input : draw->vertex,
                                      .fragment = alone ? NULL : input,
                                      .built = !alone && !draw->module.words,
                                      .width = side(cli->given.framebuffer[0]),
                                      .height = side(cli->given.framebuffer[1]),
                                      .vertices = vertices_of(cli, stage),
                                      .seed = cli->given.seed,
                                      .mixed = cli->mixed};
  const EmuContents *contents = draw->module.words ? &draw->contents : of_input;
  return emu_bare_draw_open(&options, &contents->options, &draw->draw, message, sizeof message) ==
             SPV_EMU_OK ||
         emu_cli_module_say(cli->input, message);
}

char *emu_cli_draw_text(const EmuCli *cli, spv_emu_stage stage) {
  char *text;
  int size = stage == SPV_EMU_VERTEX
                 ? asprintf(&text, "%u vertices", vertices_of(cli, stage))
                 : asprintf(&text, "%u x %u pixels", side(cli->given.framebuffer[0]),
                            side(cli->given.framebuffer[1]));
  return size < 0 ? NULL : text;
}

void emu_cli_draw_groups(const EmuCli *cli, spv_emu_stage stage, EmuBareOptions *given) {
  given->draw = true;
  given->groups[0] =
      stage == SPV_EMU_VERTEX ? vertices_of(cli, stage) : side(cli->given.framebuffer[0]);
  given->groups[1] = stage == SPV_EMU_VERTEX ? 1 : side(cli->given.framebuffer[1]);
  given->groups[2] = 1;
}

void emu_cli_draw_unload(EmuCliDraw *draw) {
  emu_bare_draw_close(draw->draw);
  emu_contents_free(&draw->contents);
  spv_emu_free(draw->vertex);
  draw->draw = NULL;
  draw->vertex = NULL;
}

void emu_cli_draw_close(EmuCliDraw *draw) {
  emu_cli_draw_unload(draw);
  emu_cli_module_free(&draw->module);
}
