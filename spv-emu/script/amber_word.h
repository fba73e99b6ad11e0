/* SPDX-License-Identifier: Apache-2.0 */
/* amber_word: the state of the AmberScript parser, and functions that read the words, numbers,
 * choices and names of its commands.
 *
 * The parser looks one word ahead and gives one message: the first error ends the parsing, so every
 * function returns false from there on, and only amber_parse cleans up. */
#ifndef AMBER_WORD_H
#define AMBER_WORD_H

#include "passes/base/compiler.h"
#include "spv-emu/script/amber_lex.h"
#include "spv-emu/script/amber_names.h"
#include "spv-emu/script/amber_near.h"
#include "spv-emu/script/amber_pool.h"
#include "spv-emu/script/amber_type.h"
#include "spv-emu/script/script.h"

typedef struct AmberFile { /* VIRTUAL_FILE */
  const char *text;
  size_t size;
  uint32_t line;
} AmberFile;

/* What only the parser needs to know about a buffer. */
typedef struct AmberDeclared {
  bool sized;        /* its declaration gives the size, not the pipelines that bind it */
  bool attached;     /* a pipeline has it as an attachment */
  uint32_t pipeline; /* the last pipeline that uses it, from 1 */
  uint32_t uses;     /* uses by that pipeline */
} AmberDeclared;

typedef struct AmberParser {
  AmberLex lex;
  AmberToken token; /* the next word, not taken yet */
  AmberNear near;   /* the words that the word of a message could have been */
  AmberScript *script;
  AmberPool *pool;
  AmberNames names;
  AmberType *structs;
  uint32_t struct_count;
  AmberFile *virtual_files;
  uint32_t virtual_file_count;
  AmberDeclared *declared;             /* by buffer */
  uint32_t resolving;                  /* the pipeline that is being resolved, from 1 */
  uint64_t buffer_bytes;               /* bytes of all buffers so far */
  uint32_t repeats[AMBER_MAX_NESTING]; /* open REPEATs: indices of their commands */
  uint32_t repeat_depth;
  struct VkScript *vkscript; /* the state of that front end; NULL: an AmberScript */
  const AmberFiles *files;
  AmberStatus status;
  AmberMessage *message;
} AmberParser;

typedef struct AmberKeyword {
  const char *word;
  bool (*parse)(AmberParser *parser); /* parses what follows the keyword */
} AmberKeyword;

typedef struct AmberChoice {
  const char *word;
  uint32_t number;
} AmberChoice;

#define AMBER_COUNT(table) (sizeof(table) / sizeof *(table))

/* ---- messages ---- */

/* Sets the message, unless there is one already, and returns false. `at`: the word in question, or
 * NULL. If it resembles a word that was tried in its place, the message also names that word. */
bool amber_fail(AmberParser *parser, const AmberToken *at, const char *format, ...) SR_PRINTF(3, 4);
bool amber_fail_line(AmberParser *parser, uint32_t line, const char *format, ...) SR_PRINTF(3, 4);
bool amber_unsupported(AmberParser *parser, const AmberToken *at, const char *what);
bool amber_no_memory(AmberParser *parser);

/* ---- words ---- */

AmberToken amber_take(AmberParser *parser);
/* Takes the next word if it is this one. */
bool amber_accept(AmberParser *parser, const char *word);
bool amber_expect_word(AmberParser *parser, const char *word);
/* A word of any kind on this line; `what` names it in the message. */
bool amber_word(AmberParser *parser, const char *what, AmberToken *word);
/* The same, as a copy that is kept, also for messages: it has no control characters. */
bool amber_text(AmberParser *parser, const char *what, const char **text);
/* The same for the rest of the line, including the blanks inside it: the name of a file. */
bool amber_rest(AmberParser *parser, const char *what, const char **text);
bool amber_line_end(AmberParser *parser);
void amber_skip_lines(AmberParser *parser);
/* In a block: false at END, which is taken, or on failure; else the next word belongs to the
 * block. */
bool amber_block_word(AmberParser *parser, const char *block);

/* ---- numbers and choices ---- */

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

/* ---- names ---- */

/* A name for something new; registers it under `index`. */
bool amber_new_name(AmberParser *parser, AmberNameKind kind, const char *what, uint32_t index,
                    const char **name);
/* amber_fail for a name that was not declared; the message also names a declared name that
 * resembles it. */
bool amber_fail_unknown(AmberParser *parser, AmberNameKind kind, const AmberToken *word,
                        const char *what);
/* The index of something declared before. */
bool amber_known_name(AmberParser *parser, AmberNameKind kind, const char *what, uint32_t *index);

#endif
