/* SPDX-License-Identifier: Apache-2.0 */
/* vkscript: see vkscript.h. A section begins with a line whose first character is "["; the sections
 * are read by kind, whatever their order, since a [test] needs all others. */
#include "spv-emu/script/vkscript/vkscript.h"

#include "spv-emu/script/amber_build.h"

#include <string.h>

typedef struct Section {
  AmberToken name; /* between the brackets */
  const char *text;
  size_t size;
  uint32_t line; /* number of the first line of the text */
} Section;

typedef struct Sections {
  Section *items;
  uint32_t count;
} Sections;

bool vkscript_is(const char *text, size_t size) {
  AmberLex lex;
  amber_lex_start(&lex, text, size);
  AmberToken token;
  do
    token = amber_lex_next(&lex);
  while (token.kind == AMBER_TOKEN_EOL);
  return token.kind == AMBER_TOKEN_WORD && token.text[0] == '[';
}

/* ---- sections -------------------------------------------------------------------------------- */

/* Is there nothing but blanks? */
static bool is_rest(const char *at, const char *end) {
  AmberLex lex;
  amber_lex_start(&lex, at, (size_t)(end - at));
  return amber_lex_next(&lex).kind != AMBER_TOKEN_WORD;
}

static bool open_section(AmberParser *parser, Sections *sections, const char *at, const char *end,
                         uint32_t line) {
  const char *comment = memchr(at, '#', (size_t)(end - at));
  const char *stop = comment ? comment : end;
  const char *close = memchr(at, ']', (size_t)(stop - at));
  AmberToken head = {
      .kind = AMBER_TOKEN_WORD, .text = at, .length = (size_t)(stop - at), .line = line};
  if (!close)
    return amber_fail(parser, &head, "the section's ] is missing");
  if (!is_rest(close + 1, stop))
    return amber_fail(parser, &head, "only a comment may follow the section's ]");
  sections->items =
      amber_pool_grow(parser->pool, sections->items, sections->count, sizeof *sections->items);
  if (!sections->items)
    return amber_no_memory(parser);
  head.text++;
  head.length = (size_t)(close - at) - 1;
  sections->items[sections->count++] = (Section){.name = head, .text = end, .line = line + 1};
  return true;
}

/* Before the first section there may be comments. */
static bool check_outside(AmberParser *parser, const char *at, const char *end, uint32_t line) {
  AmberLex lex;
  amber_lex_start(&lex, at, (size_t)(end - at));
  AmberToken word = amber_lex_next(&lex);
  word.line = line;
  return word.kind != AMBER_TOKEN_WORD ||
         amber_fail(parser, &word, "this is in no section: a line begins with its [, as in [test]");
}

static bool split(AmberParser *parser, const char *text, size_t size, Sections *sections) {
  const char *stop = text + size;
  uint32_t line = 1;
  for (const char *at = text; at < stop; line++) {
    const char *end = memchr(at, '\n', (size_t)(stop - at));
    const char *next = end ? end + 1 : stop;
    end = end ? end : stop;
    if (*at == '[') {
      if (!open_section(parser, sections, at, end, line))
        return false;
      sections->items[sections->count - 1].text = next;
    } else if (!sections->count) {
      if (!check_outside(parser, at, end, line))
        return false;
    } else {
      Section *section = &sections->items[sections->count - 1];
      section->size = (size_t)(next - section->text);
    }
    at = next;
  }
  return true;
}

static bool is_named(const Section *section, const char *name) {
  return amber_token_is(&section->name, name);
}

/* ---- shaders --------------------------------------------------------------------------------- */

typedef struct Stage {
  const char *head, *name;
  AmberStage stage;
} Stage;

static const Stage stages[] = {
    {"vertex shader", "vertex", AMBER_VERTEX},
    {"tessellation control shader", "tessellation_control", AMBER_TESSELLATION_CONTROL},
    {"tessellation evaluation shader", "tessellation_evaluation", AMBER_TESSELLATION_EVALUATION},
    {"geometry shader", "geometry", AMBER_GEOMETRY},
    {"fragment shader", "fragment", AMBER_FRAGMENT},
    {"compute shader", "compute", AMBER_COMPUTE},
};

static const struct {
  const char *tail;
  AmberShaderFormat format;
} formats[] = {
    {"", AMBER_GLSL},
    {" spirv", AMBER_SPIRV_ASM},
    {" spirv hex", AMBER_SPIRV_HEX},
    {" binary", AMBER_SPIRV_HEX}, /* what VkRunner's precompile-script.py writes */
    {" passthrough", AMBER_PASSTHROUGH},
};

/* The stage of a shader section; NULL: it is another section, or its format is unknown. */
static const Stage *stage_of(const Section *section, AmberShaderFormat *format) {
  const AmberToken *name = &section->name;
  for (size_t i = 0; i < AMBER_COUNT(stages); i++) {
    size_t length = strlen(stages[i].head);
    if (name->length < length || memcmp(name->text, stages[i].head, length) != 0)
      continue;
    AmberToken tail = *name;
    tail.text += length;
    tail.length -= length;
    for (size_t k = 0; k < AMBER_COUNT(formats); k++)
      if (amber_token_is(&tail, formats[k].tail)) {
        *format = formats[k].format;
        return &stages[i];
      }
  }
  return NULL;
}

/* GLSL texts of one stage are linked. Pipelines attach the newest one. */
static bool link_shader(AmberParser *parser, AmberShader *shader, const Section *section) {
  uint32_t index = parser->vkscript->shaders[shader->stage];
  if (index == AMBER_NONE)
    return true;
  const AmberShader *before = &parser->script->shaders[index];
  if (before->format != AMBER_GLSL || shader->format != AMBER_GLSL)
    return amber_fail(parser, &section->name, "the stage has a shader already");
  AmberShader *linked = amber_pool_alloc(parser->pool, sizeof *linked);
  if (!linked)
    return amber_no_memory(parser);
  *linked = *before;
  shader->linked = linked;
  return true;
}

static bool read_shader(AmberParser *parser, const Section *section, const Stage *stage,
                        AmberShaderFormat format) {
  AmberShader shader = {
      .name = stage->name,
      .stage = stage->stage,
      .format = format,
      .source = amber_pool_text(parser->pool, section->text, section->size),
      .source_size = section->size,
      .source_line = section->line,
      .line = section->name.line,
  };
  if (!shader.source)
    return amber_no_memory(parser);
  if (format == AMBER_PASSTHROUGH && stage->stage != AMBER_VERTEX)
    return amber_fail(parser, &section->name, "only a vertex shader can be passthrough");
  if (!link_shader(parser, &shader, section))
    return false;
  parser->vkscript->shaders[stage->stage] = parser->script->shader_count;
  return amber_build_shader(parser, &shader);
}

/* ---- the whole file -------------------------------------------------------------------------- */

static const AmberKeyword kinds[] = {
    {"require", vkscript_require},
    {"vertex data", vkscript_vertex_data},
    {"indices", vkscript_indices},
    {"test", vkscript_test},
};

static bool is_known(const Section *section) {
  bool known = is_named(section, "comment");
  for (size_t i = 0; i < AMBER_COUNT(kinds); i++)
    known = known || is_named(section, kinds[i].word);
  return known;
}

static bool read_shaders(AmberParser *parser, const Sections *sections) {
  for (uint32_t i = 0; i < sections->count; i++) {
    const Section *section = &sections->items[i];
    AmberShaderFormat format = AMBER_GLSL;
    const Stage *stage = stage_of(section, &format);
    if (!stage && !is_known(section))
      return amber_fail(parser, &section->name, "there is no such section");
    if (stage && !read_shader(parser, section, stage, format))
      return false;
  }
  return true;
}

static bool read_kind(AmberParser *parser, const Sections *sections, const AmberKeyword *kind) {
  for (uint32_t i = 0; i < sections->count; i++) {
    const Section *section = &sections->items[i];
    if (!is_named(section, kind->word))
      continue;
    amber_lex_start(&parser->lex, section->text, section->size);
    parser->lex.line = section->line;
    parser->lex.punctuation = true;
    amber_take(parser); /* reads the first word ahead */
    if (!kind->parse(parser))
      return false;
  }
  return true;
}

static VkScript *state_new(AmberParser *parser) {
  VkScript *vk = amber_pool_alloc(parser->pool, sizeof *vk);
  if (!vk)
    return NULL;
  *vk = (VkScript){
      .index_buffer = AMBER_NONE,
      .state = amber_build_plain(0),
      .graphics = AMBER_NONE,
      .compute = AMBER_NONE,
      .color = AMBER_NONE,
      .depth = AMBER_NONE,
      .clear_depth = 1,
      .tolerances = {{.value = 0.01}}, /* VkRunner's default */
      .tolerance_count = 1,
      .layouts = {[VK_BUFFER_PUSH] = {.rules = AMBER_STD430},
                  [VK_BUFFER_UBO] = {.rules = AMBER_STD140},
                  [VK_BUFFER_SSBO] = {.rules = AMBER_STD430}},
      .push = AMBER_NONE,
  };
  vk->state.graphics = true;
  for (int i = 0; i < VK_STAGES; i++) {
    vk->shaders[i] = AMBER_NONE;
    vk->entry_points[i] = "main";
  }
  return vk;
}

static bool finish(AmberParser *parser) {
  AmberBinding *bindings;
  uint32_t count;
  return vkscript_buffer_finish(parser, &bindings, &count) &&
         vkscript_draw_finish(parser, bindings, count);
}

bool vkscript_parse(AmberParser *parser, const char *text, size_t size) {
  Sections sections = {0};
  parser->vkscript = state_new(parser);
  if (!parser->vkscript)
    return amber_no_memory(parser);
  bool good = split(parser, text, size, &sections) && read_shaders(parser, &sections);
  for (size_t i = 0; good && i < AMBER_COUNT(kinds); i++)
    good = read_kind(parser, &sections, &kinds[i]);
  return good && finish(parser);
}
