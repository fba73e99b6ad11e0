/* SPDX-License-Identifier: Apache-2.0 */
/* vkscript_draw: the pipelines of a VkScript, and the commands that run or clear them. */
#include "spv-emu/script/amber_choice.h"
#include "spv-emu/script/vkscript/vkscript.h"

#include <stdio.h>
#include <string.h>

/* ---- pipelines ------------------------------------------------------------------------------- */

/* Attaches the shaders of the stages from `first` to `last`. */
static bool attach(AmberParser *parser, AmberPipeline *pipeline, AmberStage first,
                   AmberStage last) {
  const VkScript *vk = parser->vkscript;
  for (AmberStage stage = first; stage <= last; stage++) {
    if (vk->shaders[stage] == AMBER_NONE)
      continue;
    pipeline->shaders = amber_pool_grow(parser->pool, pipeline->shaders, pipeline->shader_count,
                                        sizeof *pipeline->shaders);
    if (!pipeline->shaders)
      return amber_no_memory(parser);
    pipeline->shaders[pipeline->shader_count++] =
        (AmberAttachedShader){.shader = vk->shaders[stage],
                              .stage = stage,
                              .entry_point = vk->entry_points[stage],
                              .line = parser->script->shaders[vk->shaders[stage]].line};
  }
  return true;
}

static bool add_pipeline(AmberParser *parser, AmberPipeline *pipeline, const char *kind,
                         uint32_t *index) {
  char name[40];
  *index = parser->script->pipeline_count;
  snprintf(name, sizeof name, "%s_%u", kind, *index);
  pipeline->name = amber_pool_text(parser->pool, name, strlen(name));
  pipeline->line = parser->token.line;
  return pipeline->name ? amber_build_add_pipeline(parser, pipeline) : amber_no_memory(parser);
}

static bool add_attachment(AmberParser *parser, const char *name, const EmuFormat *format,
                           uint32_t *index) {
  AmberBuffer buffer = {.name = name,
                        .format = format,
                        .layout = emu_format_layout(format),
                        .dimensions = 2,
                        .mip_levels = 1,
                        .samples = 1,
                        .line = parser->vkscript->size_line};
  if (*index != AMBER_NONE)
    return true;
  *index = parser->script->buffer_count;
  return amber_build_buffer(parser, &buffer, false); /* amber_resolve gives it a size */
}

static bool add_framebuffer(AmberParser *parser, AmberPipeline *pipeline) {
  VkScript *vk = parser->vkscript;
  const EmuFormat *color = vk->color_format ? vk->color_format : emu_format_find("B8G8R8A8_UNORM");
  if (!add_attachment(parser, "framebuffer", color, &vk->color) ||
      (vk->depth_format && !add_attachment(parser, "depthstencil", vk->depth_format, &vk->depth)))
    return false;
  pipeline->colors = amber_pool_grow(parser->pool, NULL, 0, sizeof *pipeline->colors);
  if (!pipeline->colors)
    return amber_no_memory(parser);
  pipeline->colors[0] = (AmberAttachment){.buffer = vk->color, .line = parser->token.line};
  pipeline->color_count = 1;
  return true;
}

bool vkscript_graphics(AmberParser *parser, uint32_t *index) {
  VkScript *vk = parser->vkscript;
  const AmberPipeline *state = &vk->state;
  *index = vk->graphics;
  if (*index != AMBER_NONE)
    return true;
  AmberPipeline pipeline = *state;
  pipeline.vertex_inputs = vk->vertex_inputs;
  pipeline.vertex_input_count = vk->vertex_input_count;
  pipeline.index_buffer = vk->index_buffer;
  vk->tests_depth |=
      state->raster.depth.test || state->raster.depth.bounds_test || state->raster.stencil_test;
  if (!attach(parser, &pipeline, AMBER_VERTEX, AMBER_FRAGMENT) ||
      !add_framebuffer(parser, &pipeline) || !add_pipeline(parser, &pipeline, "graphics", index))
    return false;
  vk->graphics = *index;
  return true;
}

static bool compute_pipeline(AmberParser *parser, uint32_t *index) {
  VkScript *vk = parser->vkscript;
  *index = vk->compute;
  if (*index != AMBER_NONE)
    return true;
  AmberPipeline pipeline = amber_build_plain(parser->token.line);
  if (!attach(parser, &pipeline, AMBER_COMPUTE, AMBER_COMPUTE) ||
      !add_pipeline(parser, &pipeline, "compute", index))
    return false;
  vk->compute = *index;
  return true;
}

/* ---- draw ------------------------------------------------------------------------------------ */

static bool has_stage(AmberParser *parser, AmberStage stage, const AmberToken *command) {
  return parser->vkscript->shaders[stage] != AMBER_NONE ||
         amber_fail(parser, command, "there is no [%s shader]",
                    stage == AMBER_COMPUTE ? "compute" : "vertex");
}

static AmberCommand *add_draw(AmberParser *parser, AmberCommandKind kind) {
  uint32_t pipeline;
  if (!vkscript_graphics(parser, &pipeline))
    return NULL;
  AmberCommand *command = amber_build_command(parser, kind);
  if (command)
    command->pipeline = pipeline;
  return command;
}

static bool parse_rect_place(AmberParser *parser, AmberDrawRect *rect) {
  for (bool option = true; option;) {
    bool ortho = amber_accept(parser, "ortho"), patch = amber_accept(parser, "patch");
    rect->clip = rect->clip && !ortho;
    rect->patch = rect->patch || patch;
    option = ortho || patch;
  }
  return amber_float(parser, "x", &rect->x) && amber_float(parser, "y", &rect->y) &&
         amber_float(parser, "the width", &rect->width) &&
         amber_float(parser, "the height", &rect->height);
}

static bool add_rect(AmberParser *parser, AmberCommandKind kind, const AmberDrawRect *rect) {
  AmberCommand *command = add_draw(parser, kind);
  if (command)
    command->rect = *rect;
  return command != NULL;
}

/* A patch has four vertices, whatever the pipeline's state sets. */
static bool parse_rect(AmberParser *parser) {
  AmberDrawRect rect = {.clip = true, .columns = 1, .rows = 1};
  VkScript *vk = parser->vkscript;
  uint32_t vertices = vk->state.raster.patch_control_points;
  if (!parse_rect_place(parser, &rect))
    return false;
  if (!rect.patch || vertices == 4)
    return add_rect(parser, AMBER_DRAW_RECT, &rect);
  vk->state.raster.patch_control_points = 4;
  vk->graphics = AMBER_NONE;
  bool added = add_rect(parser, AMBER_DRAW_RECT, &rect);
  vk->state.raster.patch_control_points = vertices;
  vk->graphics = AMBER_NONE;
  return added;
}

/* The grid is a command of google/amber: two triangles for each cell. */
static bool parse_grid(AmberParser *parser) {
  AmberDrawRect rect = {.clip = true};
  AmberToken word = parser->token;
  if (!parse_rect_place(parser, &rect) ||
      !amber_u32(parser, "the columns", 1, 4096, &rect.columns) ||
      !amber_u32(parser, "the rows", 1, 4096, &rect.rows))
    return false;
  return rect.patch ? amber_unsupported(parser, &word, "a grid of patches")
                    : add_rect(parser, AMBER_DRAW_GRID, &rect);
}

static const AmberChoice gl_topologies[] = {
    {"GL_POINTS", 0},
    {"GL_LINES", 1},
    {"GL_LINE_STRIP", 2},
    {"GL_TRIANGLES", 3},
    {"GL_TRIANGLE_STRIP", 4},
    {"GL_TRIANGLE_FAN", 5},
    {"GL_LINES_ADJACENCY", 6},
    {"GL_LINE_STRIP_ADJACENCY", 7},
    {"GL_TRIANGLES_ADJACENCY", 8},
    {"GL_TRIANGLE_STRIP_ADJACENCY", 9},
    {"GL_PATCHES", 10},
};

static bool parse_topology(AmberParser *parser, uint32_t *topology) {
  const AmberToken *word = &parser->token;
  bool gl = word->kind == AMBER_TOKEN_WORD && word->length > 3 && memcmp(word->text, "GL_", 3) == 0;
  return gl ? amber_choose(parser, gl_topologies, AMBER_COUNT(gl_topologies), "topology", topology)
            : amber_choice(parser, &amber_topologies, topology);
}

/* In an indexed draw, `first` is added to each index, and the indices are read from the start of
 * the index buffer. */
static bool parse_arrays(AmberParser *parser) {
  AmberDrawArray array = {.instance_count = 1};
  bool instanced = false;
  for (bool option = true; option;) {
    bool indexed = amber_accept(parser, "indexed"), instances = amber_accept(parser, "instanced");
    array.indexed = array.indexed || indexed;
    instanced = instanced || instances;
    option = indexed || instances;
  }
  uint32_t *first = array.indexed ? &array.vertex_offset : &array.first;
  if (!parse_topology(parser, &array.topology) ||
      !amber_u32(parser, "the first vertex", 0, INT32_MAX, first) ||
      !amber_u32(parser, "the vertices", 0, UINT32_MAX - 1, &array.count))
    return false;
  if (instanced && parser->token.kind == AMBER_TOKEN_WORD &&
      !amber_u32(parser, "the instances", 0, UINT32_MAX, &array.instance_count))
    return false;
  AmberCommand *command = add_draw(parser, AMBER_DRAW_ARRAY);
  if (command)
    command->array = array;
  return command != NULL;
}

bool vkscript_draw(AmberParser *parser) {
  static const AmberKeyword forms[] = {
      {"rect", parse_rect},
      {"grid", parse_grid},
      {"arrays", parse_arrays},
  };
  AmberToken word = parser->token;
  for (size_t i = 0; i < AMBER_COUNT(forms); i++)
    if (amber_accept(parser, forms[i].word))
      return has_stage(parser, AMBER_VERTEX, &word) && forms[i].parse(parser);
  return amber_fail(parser, &word, "rect, grid or arrays was expected");
}

/* ---- compute, entry points ------------------------------------------------------------------- */

bool vkscript_compute(AmberParser *parser) {
  AmberToken word = parser->token;
  AmberRunCompute run;
  uint32_t pipeline;
  if (amber_token_is(&word, "entrypoint"))
    return vkscript_entry_point(parser, AMBER_COMPUTE);
  if (!has_stage(parser, AMBER_COMPUTE, &word) || !amber_u32(parser, "x", 0, UINT32_MAX, &run.x) ||
      !amber_u32(parser, "y", 0, UINT32_MAX, &run.y) ||
      !amber_u32(parser, "z", 0, UINT32_MAX, &run.z) || !compute_pipeline(parser, &pipeline))
    return false;
  AmberCommand *command = amber_build_command(parser, AMBER_RUN_COMPUTE);
  if (!command)
    return false;
  command->pipeline = pipeline;
  command->run = run;
  return true;
}

bool vkscript_entry_point(AmberParser *parser, AmberStage stage) {
  VkScript *vk = parser->vkscript;
  *(stage == AMBER_COMPUTE ? &vk->compute : &vk->graphics) = AMBER_NONE;
  return amber_expect_word(parser, "entrypoint") &&
         amber_text(parser, "the entry point's name", &vk->entry_points[stage]);
}

/* ---- clear ----------------------------------------------------------------------------------- */

static bool parse_clear_color(AmberParser *parser) {
  static const char *const names[] = {"red", "green", "blue", "alpha"};
  for (int i = 0; i < 4; i++)
    if (!amber_float(parser, names[i], &parser->vkscript->clear_color[i]))
      return false;
  return true;
}

/* In a VkScript clear values belong to the script, but in an AmberScript to a pipeline. So each
 * clear sets them first. */
static bool clear_all(AmberParser *parser) {
  static const AmberCommandKind kinds[] = {AMBER_CLEAR_COLOR, AMBER_CLEAR_DEPTH,
                                           AMBER_CLEAR_STENCIL, AMBER_CLEAR};
  const VkScript *vk = parser->vkscript;
  for (size_t i = 0; i < AMBER_COUNT(kinds); i++) {
    AmberCommand *command = add_draw(parser, kinds[i]);
    if (!command)
      return false;
    if (kinds[i] == AMBER_CLEAR_COLOR)
      memcpy(command->color, vk->clear_color, sizeof command->color);
    else if (kinds[i] == AMBER_CLEAR_DEPTH)
      command->depth = vk->clear_depth;
    else if (kinds[i] == AMBER_CLEAR_STENCIL)
      command->stencil = vk->clear_stencil;
  }
  return true;
}

bool vkscript_clear(AmberParser *parser) {
  VkScript *vk = parser->vkscript;
  if (amber_accept(parser, "color"))
    return parse_clear_color(parser);
  if (amber_accept(parser, "depth"))
    return amber_float(parser, "the depth", &vk->clear_depth);
  if (amber_accept(parser, "stencil"))
    return amber_u32(parser, "the stencil value", 0, 255, &vk->clear_stencil);
  return clear_all(parser);
}

/* ---- depth, at the end of the script --------------------------------------------------------- */

/* All pipelines share one depth attachment, because one pipeline may test what another has
 * cleared. */
static bool share_depth(AmberParser *parser) {
  VkScript *vk = parser->vkscript;
  AmberScript *script = parser->script;
  if (vk->tests_depth &&
      !add_attachment(parser, "depthstencil", emu_format_find("D32_SFLOAT_S8_UINT"), &vk->depth))
    return false;
  for (uint32_t i = 0; i < script->pipeline_count; i++)
    if (script->pipelines[i].graphics)
      script->pipelines[i].depth_stencil = vk->depth;
  return true;
}

bool vkscript_draw_finish(AmberParser *parser, AmberBinding *bindings, uint32_t count) {
  const VkScript *vk = parser->vkscript;
  for (uint32_t i = 0; i < parser->script->pipeline_count; i++) {
    AmberPipeline *pipeline = &parser->script->pipelines[i];
    if (!pipeline->shader_count)
      continue;
    pipeline->bindings = bindings;
    pipeline->binding_count = count;
    if (vk->push != AMBER_NONE)
      pipeline->push_constant = vk->buffers[vk->push].index;
  }
  return share_depth(parser);
}
