/* SPDX-License-Identifier: Apache-2.0 */
/* amber_parse_command: RUN, CLEAR…, COPY, REPEAT. */
#include "spv-emu/script/amber/amber_parse.h"
#include "spv-emu/script/amber_choice.h"

/* Takes the name of a pipeline, which must be a graphics or a compute pipeline, as `graphics`
 * says. */
static bool parse_pipeline_name(AmberParser *parser, AmberCommand *command, bool graphics) {
  AmberToken word = parser->token;
  if (!amber_known_name(parser, AMBER_NAME_PIPELINE, "the pipeline", &command->pipeline))
    return false;
  return parser->script->pipelines[command->pipeline].graphics == graphics ||
         amber_fail(parser, &word, "it is not a %s pipeline", graphics ? "graphics" : "compute");
}

/* ---- RUN ------------------------------------------------------------------------------------- */

static bool parse_rect(AmberParser *parser, AmberCommand *command) {
  AmberDrawRect *rect = &command->rect;
  rect->columns = rect->rows = 1;
  if (!amber_expect_word(parser, "POS") || !amber_float(parser, "x", &rect->x) ||
      !amber_float(parser, "y", &rect->y) || !amber_expect_word(parser, "SIZE") ||
      !amber_float(parser, "the width", &rect->width) ||
      !amber_float(parser, "the height", &rect->height))
    return false;
  return command->kind == AMBER_DRAW_RECT ||
         (amber_expect_word(parser, "CELLS") &&
          amber_u32(parser, "the columns", 1, 4096, &rect->columns) &&
          amber_u32(parser, "the rows", 1, 4096, &rect->rows));
}

/* An extension: it is added to the indices, modulo 2^32. */
static bool parse_vertex_offset(AmberParser *parser, AmberDrawArray *array) {
  const AmberToken word = parser->token;
  double offset = 0;
  if (!amber_double(parser, "VERTEX_OFFSET", &offset))
    return false;
  if (!(offset >= INT32_MIN && offset <= INT32_MAX) || offset != (int32_t)offset)
    return amber_fail(parser, &word, "VERTEX_OFFSET must be a whole number of 32 bits");
  array->vertex_offset = (uint32_t)(int32_t)offset;
  return true;
}

static bool parse_array_option(AmberParser *parser, AmberDrawArray *array) {
  struct {
    const char *word;
    uint32_t *number;
  } options[] = {
      {"START_IDX", &array->first},
      {"COUNT", &array->count},
      {"START_INSTANCE", &array->first_instance},
      {"INSTANCE_COUNT", &array->instance_count},
  };
  if (amber_accept(parser, "INDEXED"))
    return array->indexed = true;
  if (amber_accept(parser, "VERTEX_OFFSET"))
    return parse_vertex_offset(parser, array);
  for (size_t i = 0; i < AMBER_COUNT(options); i++)
    if (amber_accept(parser, options[i].word))
      return amber_u32(parser, options[i].word, 0, UINT32_MAX - 1, options[i].number);
  return amber_fail(parser, &parser->token, "not an option of DRAW_ARRAY");
}

static bool parse_array(AmberParser *parser, AmberCommand *command) {
  AmberDrawArray *array = &command->array;
  array->count = AMBER_NONE; /* unknown until amber_check */
  array->instance_count = 1;
  if (!amber_expect_word(parser, "AS") ||
      !amber_choice(parser, &amber_topologies, &array->topology))
    return false;
  while (parser->token.kind == AMBER_TOKEN_WORD)
    if (!parse_array_option(parser, array))
      return false;
  return true;
}

static bool parse_groups(AmberParser *parser, AmberCommand *command) {
  if (amber_token_is(&parser->token, "RAYGEN"))
    return amber_unsupported(parser, &parser->token, "ray tracing");
  return amber_u32(parser, "x", 0, UINT32_MAX, &command->run.x) &&
         amber_u32(parser, "y", 0, UINT32_MAX, &command->run.y) &&
         amber_u32(parser, "z", 0, UINT32_MAX, &command->run.z);
}

bool amber_parse_run(AmberParser *parser) {
  static const struct {
    const char *word;
    AmberCommandKind kind;
    bool (*parse)(AmberParser *parser, AmberCommand *command);
  } draws[] = {
      {"DRAW_RECT", AMBER_DRAW_RECT, parse_rect},
      {"DRAW_GRID", AMBER_DRAW_GRID, parse_rect},
      {"DRAW_ARRAY", AMBER_DRAW_ARRAY, parse_array},
  };
  amber_accept(parser, "TIMED_EXECUTION"); /* every run is timed */
  AmberCommand *command = amber_build_command(parser, AMBER_RUN_COMPUTE);
  AmberToken name = parser->token, ignored;
  if (!command || !amber_word(parser, "the pipeline", &ignored))
    return false;
  AmberToken form = parser->token;
  command->pipeline = amber_names_find(&parser->names, AMBER_NAME_PIPELINE, name.text, name.length);
  if (command->pipeline == AMBER_NONE)
    return amber_fail_unknown(parser, AMBER_NAME_PIPELINE, &name, "the pipeline");
  bool graphics = parser->script->pipelines[command->pipeline].graphics;
  for (size_t i = 0; i < AMBER_COUNT(draws); i++)
    if (amber_accept(parser, draws[i].word)) {
      command->kind = draws[i].kind;
      return graphics ? draws[i].parse(parser, command)
                      : amber_fail(parser, &name, "it is not a graphics pipeline");
    }
  if (graphics)
    return amber_fail(parser, &form, "DRAW_RECT, DRAW_GRID or DRAW_ARRAY was expected");
  return parse_groups(parser, command);
}

/* ---- CLEAR ----------------------------------------------------------------------------------- */

bool amber_parse_clear(AmberParser *parser) {
  AmberCommand *command = amber_build_command(parser, AMBER_CLEAR);
  return command && parse_pipeline_name(parser, command, true);
}

bool amber_parse_clear_color(AmberParser *parser) {
  static const char *const names[] = {"red", "green", "blue", "alpha"};
  AmberCommand *command = amber_build_command(parser, AMBER_CLEAR_COLOR);
  if (!command || !parse_pipeline_name(parser, command, true))
    return false;
  for (int i = 0; i < 4; i++) {
    uint32_t number;
    if (!amber_u32(parser, names[i], 0, 255, &number))
      return false;
    command->color[i] = (float)number / 255;
  }
  return true;
}

bool amber_parse_clear_depth(AmberParser *parser) {
  AmberCommand *command = amber_build_command(parser, AMBER_CLEAR_DEPTH);
  return command && parse_pipeline_name(parser, command, true) &&
         amber_float(parser, "the depth", &command->depth);
}

bool amber_parse_clear_stencil(AmberParser *parser) {
  AmberCommand *command = amber_build_command(parser, AMBER_CLEAR_STENCIL);
  return command && parse_pipeline_name(parser, command, true) &&
         amber_u32(parser, "the stencil value", 0, 255, &command->stencil);
}

/* ---- COPY, REPEAT ---------------------------------------------------------------------------- */

bool amber_parse_copy(AmberParser *parser) {
  AmberCommand *command = amber_build_command(parser, AMBER_COPY);
  if (!command || !amber_known_name(parser, AMBER_NAME_BUFFER, "the buffer", &command->copy.from) ||
      !amber_expect_word(parser, "TO"))
    return false;
  AmberToken word = parser->token;
  if (!amber_known_name(parser, AMBER_NAME_BUFFER, "the buffer", &command->copy.to))
    return false;
  return command->copy.from != command->copy.to ||
         amber_fail(parser, &word, "a buffer cannot be copied to itself");
}

bool amber_parse_repeat(AmberParser *parser) {
  uint32_t index = parser->script->command_count;
  AmberToken word = parser->token;
  AmberCommand *command = amber_build_command(parser, AMBER_REPEAT);
  if (!command || !amber_u32(parser, "REPEAT", 1, UINT32_MAX, &command->repeat.times))
    return false;
  if (parser->repeat_depth == AMBER_MAX_NESTING)
    return amber_fail(parser, &word, "REPEAT nests too deep (at most %d)", AMBER_MAX_NESTING);
  parser->repeats[parser->repeat_depth++] = index;
  return true;
}

bool amber_parse_repeat_end(AmberParser *parser) {
  uint32_t index = parser->repeats[--parser->repeat_depth];
  AmberScript *script = parser->script;
  script->commands[index].repeat.length = script->command_count - index - 1;
  return true;
}
