/* amber_parse: what the parser's files share.
 *
 * One word of look-ahead, one message: the first thing that is wrong ends the parsing, so every
 * function returns false from there on and nobody cleans up but amber_parse itself. Commands are
 * small functions found by keyword in tables, one table per group. What needs to know the whole
 * file (sizes of attachments, bounds of EXPECTs) is settled by amber_resolve at its end. */
#ifndef AMBER_PARSE_H
#define AMBER_PARSE_H

#include "script/amber_lex.h"
#include "script/amber_names.h"
#include "script/amber_pool.h"
#include "script/amber_type.h"
#include "script/script.h"

typedef struct AmberFile { /* VIRTUAL_FILE */
  const char *text;
  size_t size;
  uint32_t line;
} AmberFile;

/* What is known of a buffer only while parsing. */
typedef struct AmberDeclared {
  bool sized; /* has its size from its declaration; else from the pipelines that it is bound in */
  uint32_t pipeline; /* the last one found to use it, from 1 */
  uint32_t uses;     /* by that one */
} AmberDeclared;

typedef struct AmberParser {
  AmberLex lex;
  AmberToken token; /* the next one, not taken yet */
  AmberScript *script;
  AmberPool *pool;
  AmberNames names;
  AmberType *structs;
  uint32_t struct_count;
  AmberFile *virtual_files;
  uint32_t virtual_file_count;
  AmberDeclared *declared;             /* by buffer */
  uint32_t resolving;                  /* the pipeline that is being resolved, from 1 */
  uint64_t buffer_bytes;               /* of all buffers so far */
  uint32_t repeats[AMBER_MAX_NESTING]; /* open REPEATs: indices of their commands */
  uint32_t repeat_depth;
  const AmberFiles *files;
  AmberStatus status;
  AmberMessage *message;
} AmberParser;

typedef struct AmberKeyword {
  const char *word;
  bool (*parse)(AmberParser *parser); /* behind the keyword */
} AmberKeyword;

typedef struct AmberChoice {
  const char *word;
  uint32_t number;
} AmberChoice;

#define AMBER_COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- amber_parse.c: words, names and messages ---- */

/* Sets the message, unless there is one, and returns false. `at`: the word it is about, or NULL. */
bool amber_fail(AmberParser *parser, const AmberToken *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool amber_fail_line(AmberParser *parser, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool amber_unsupported(AmberParser *parser, const AmberToken *at, const char *what);
bool amber_no_memory(AmberParser *parser);

AmberToken amber_take(AmberParser *parser);
/* Takes the next word if it is this one. */
bool amber_accept(AmberParser *parser, const char *word);
bool amber_expect_word(AmberParser *parser, const char *word);
/* A word of any kind on this line; `what` names it in the message. */
bool amber_word(AmberParser *parser, const char *what, AmberToken *word);
bool amber_text(AmberParser *parser, const char *what, const char **text);
bool amber_line_end(AmberParser *parser);
void amber_skip_lines(AmberParser *parser);
/* In a block: false at END, which is taken, and on failure; else the next word stands ready. */
bool amber_block_word(AmberParser *parser, const char *block);

bool amber_u32(AmberParser *parser, const char *what, uint32_t low, uint32_t high, uint32_t *value);
bool amber_u64(AmberParser *parser, const char *what, uint64_t *value);
bool amber_double(AmberParser *parser, const char *what, double *value);
bool amber_float(AmberParser *parser, const char *what, float *value);
bool amber_on_off(AmberParser *parser, bool *value);
/* One of a table's words; case does not matter. */
bool amber_choose(AmberParser *parser, const AmberChoice *choices, size_t count, const char *what,
                  uint32_t *number);
/* Runs the function of the keyword that comes next. */
bool amber_dispatch(AmberParser *parser, const AmberKeyword *keywords, size_t count,
                    const char *where);

/* A name for something new; registers it under `index`. */
bool amber_new_name(AmberParser *parser, AmberNameKind kind, const char *what, uint32_t index,
                    const char **name);
/* The index of something declared before. */
bool amber_known_name(AmberParser *parser, AmberNameKind kind, const char *what, uint32_t *index);

/* ---- the groups of commands ---- */

bool amber_parse_feature(AmberParser *parser);
bool amber_parse_property(AmberParser *parser);
bool amber_parse_device_extension(AmberParser *parser);
bool amber_parse_instance_extension(AmberParser *parser);
bool amber_parse_set(AmberParser *parser);

bool amber_parse_shader(AmberParser *parser);
bool amber_parse_virtual_file(AmberParser *parser);
bool amber_parse_compile_options(AmberParser *parser);
bool amber_parse_stage(AmberParser *parser, AmberStage *stage);

bool amber_parse_struct(AmberParser *parser);
bool amber_parse_buffer(AmberParser *parser);
bool amber_parse_image(AmberParser *parser);
bool amber_parse_type(AmberParser *parser, AmberStrides strides, AmberType *type);
bool amber_parse_format(AmberParser *parser, const AmberFormat **format);

/* DATA, FILL, SERIES_FROM, FILE: the contents of the buffer, whose layout and, where `counted`,
 * number of elements are known. */
bool amber_parse_initializer(AmberParser *parser, AmberBuffer *buffer, bool counted, bool *found);
/* Room for the contents, zeroed; counts against the limits. */
bool amber_buffer_allocate(AmberParser *parser, AmberBuffer *buffer);
bool amber_add_buffer(AmberParser *parser, const AmberBuffer *buffer, bool sized);

bool amber_parse_sampler(AmberParser *parser);

bool amber_parse_pipeline(AmberParser *parser);
bool amber_parse_derive(AmberParser *parser);
AmberPipeline *amber_open_pipeline(AmberParser *parser); /* the one being parsed: the last */
AmberAttachedShader *amber_attached(AmberParser *parser);
bool amber_parse_bind(AmberParser *parser);
bool amber_parse_vertex_data(AmberParser *parser);
bool amber_parse_index_data(AmberParser *parser);
bool amber_parse_depth(AmberParser *parser);
bool amber_parse_stencil(AmberParser *parser);
bool amber_parse_blend(AmberParser *parser);
bool amber_parse_viewport(AmberParser *parser);
bool amber_parse_subgroup(AmberParser *parser);
bool amber_parse_polygon_mode(AmberParser *parser);
bool amber_parse_patch_control_points(AmberParser *parser);
bool amber_parse_framebuffer_size(AmberParser *parser);
bool amber_choose_compare_op(AmberParser *parser, uint32_t *number);

AmberCommand *amber_new_command(AmberParser *parser, AmberCommandKind kind);
bool amber_parse_run(AmberParser *parser);
bool amber_parse_clear(AmberParser *parser);
bool amber_parse_clear_color(AmberParser *parser);
bool amber_parse_clear_depth(AmberParser *parser);
bool amber_parse_clear_stencil(AmberParser *parser);
bool amber_parse_copy(AmberParser *parser);
bool amber_parse_repeat(AmberParser *parser);
bool amber_parse_repeat_end(AmberParser *parser);
bool amber_parse_expect(AmberParser *parser);

/* ---- at the end of the file ---- */

/* amber_resolve.c: default attachments, sizes of attachments, how buffers are used. */
bool amber_resolve(AmberParser *parser);
/* amber_check.c: commands against the sizes of what they are about. */
bool amber_check_commands(AmberParser *parser);
/* Gives a buffer the size of an image of that width and height. */
bool amber_size_buffer(AmberParser *parser, uint32_t index, uint32_t width, uint32_t height,
                       uint32_t depth);

#endif
