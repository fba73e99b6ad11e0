/* SPDX-License-Identifier: Apache-2.0 */
/* amber_parse: parses a file: an AmberScript here, command by command; a VkScript in vkscript.c.
 *
 * A loop over the lines finds the function of each command by its first word. A REPEAT only records
 * where its body begins: in the body, the same loop continues with other rows of the table.
 * Everything that a script owns is in its pool, which bounds the memory of a script. */
#include "spv-emu/script/amber/amber_parse.h"
#include "spv-emu/script/vkscript/vkscript.h"

#include <string.h>

enum { OTHER_BYTES = 128 << 20 }; /* limit on everything except the contents of the buffers */

/* ---- commands ---- */

/* The first ONLY_OUTSIDE of these commands cannot be in a REPEAT, the last ONLY_INSIDE can only be
 * in a REPEAT. */
static const AmberKeyword commands[] = {
    {"ACCELERATION_STRUCTURE", NULL},
    {"DEBUG", NULL},
    {"DEVICE_FEATURE", amber_parse_feature},
    {"DEVICE_PROPERTY", amber_parse_property},
    {"DEVICE_EXTENSION", amber_parse_device_extension},
    {"INSTANCE_EXTENSION", amber_parse_instance_extension},
    {"SET", amber_parse_set},
    {"SHADER", amber_parse_shader},
    {"VIRTUAL_FILE", amber_parse_virtual_file},
    {"STRUCT", amber_parse_struct},
    {"BUFFER", amber_parse_buffer},
    {"IMAGE", amber_parse_image},
    {"SAMPLER", amber_parse_sampler},
    {"PIPELINE", amber_parse_pipeline},
    {"DERIVE_PIPELINE", amber_parse_derive},
    {"RUN", amber_parse_run},
    {"CLEAR", amber_parse_clear},
    {"CLEAR_COLOR", amber_parse_clear_color},
    {"CLEAR_DEPTH", amber_parse_clear_depth},
    {"CLEAR_STENCIL", amber_parse_clear_stencil},
    {"COPY", amber_parse_copy},
    {"EXPECT", amber_parse_expect},
    {"REPEAT", amber_parse_repeat},
    {"END", amber_parse_repeat_end},
};

enum { ONLY_OUTSIDE = 15, ONLY_INSIDE = 1 };

static bool parse_commands(AmberParser *parser) {
  for (;;) {
    amber_skip_lines(parser);
    if (parser->token.kind == AMBER_TOKEN_END)
      break;
    bool inside = parser->repeat_depth > 0;
    size_t first = inside ? ONLY_OUTSIDE : 0, end = AMBER_COUNT(commands) - !inside * ONLY_INSIDE;
    if (!amber_dispatch(parser, &commands[first], end - first, inside ? " in a REPEAT" : "") ||
        !amber_line_end(parser))
      return false;
  }
  return parser->repeat_depth == 0 || amber_fail(parser, NULL, "REPEAT has no END");
}

static bool has_first_line(const char *text, size_t size) {
  static const char first[] = "#!amber";
  return size >= sizeof first - 1 && memcmp(text, first, sizeof first - 1) == 0;
}

static bool parse_amber(AmberParser *parser, const char *text, size_t size) {
  if (!has_first_line(text, size))
    return amber_fail_line(parser, 1, "the first line is not #!amber, and there is no section");
  amber_lex_start(&parser->lex, text, size);
  amber_take(parser); /* reads the first word ahead */
  return parse_commands(parser);
}

static bool parse_all(AmberParser *parser, const char *text, size_t size) {
  bool vkscript = !has_first_line(text, size) && vkscript_is(text, size);
  return (vkscript ? vkscript_parse : parse_amber)(parser, text, size) && amber_resolve(parser) &&
         amber_check_commands(parser);
}

AmberStatus amber_parse(const char *text, size_t size, const AmberFiles *files,
                        AmberScript **script, AmberMessage *message) {
  AmberPool *pool = amber_pool_new(AMBER_MAX_TOTAL_BYTES + OTHER_BYTES);
  AmberParser parser = {.pool = pool, .files = files, .message = message};
  *message = (AmberMessage){0};
  *script = NULL;
  parser.token.line = 1;
  parser.script = pool ? amber_pool_alloc(pool, sizeof *parser.script) : NULL;
  if (!parser.script) {
    amber_pool_free(pool);
    amber_no_memory(&parser);
    return parser.status;
  }
  parser.script->pool = pool;
  bool parsed = parse_all(&parser, text, size);
  amber_names_free(&parser.names);
  if (parsed)
    *script = parser.script;
  else
    amber_pool_free(pool);
  return parser.status;
}

void amber_destroy(AmberScript *script) {
  if (script)
    amber_pool_free(script->pool);
}
