/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_case: the text of a case in statements, some of which can be left out or replaced. */
#ifndef HN_REDUCE_CASE_H
#define HN_REDUCE_CASE_H

#include "harness/shader/shader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef enum HnStatementKind {
  HN_STATEMENT_OTHER,
  HN_STATEMENT_SHADER,
  HN_STATEMENT_EXPECT,
  HN_STATEMENT_RUN, /* of a compute pipeline */
} HnStatementKind;

typedef struct HnStatement {
  char *text; /* with its lines, up to its END; owned */
  HnStatementKind kind;
  bool gone;
} HnStatement;

typedef struct HnReduceCase {
  HnStatement *at;
  size_t count;
} HnReduceCase;

/* Splits AmberScript. False: out of memory. */
bool hn_reduce_case_read(const char *text, HnReduceCase *c);
void hn_reduce_case_free(HnReduceCase *c);
/* The statements that are not gone, as one text, with `text` in place of statement `at` (SIZE_MAX:
 * of none), without statement `without` (SIZE_MAX: with all). The caller frees it; NULL: out of
 * memory. */
char *hn_reduce_case_text(const HnReduceCase *c, size_t at, const char *text, size_t without);
/* The name of the shader that a statement declares, in `name`; false: it declares none. */
bool hn_reduce_case_shader(const HnStatement *s, char *name, size_t room);
/* Is it compile options of that shader, in a pipeline? A module has none. */
bool hn_reduce_case_compiles(const HnStatement *s, const char *shader);
/* The first line of a shader's statement up to the name, then its new format and words:
 * "SHADER compute main SPIRV-ASM TARGET_ENV spv1.3 … END". NULL: out of memory, or SPIRV-Tools
 * cannot print the module. The caller frees it. */
char *hn_reduce_case_module(const HnStatement *s, HnModule module);
/* A RUN statement with the number of workgroups of one dimension halved; the dimension with the
 * most. NULL: all are 1, or out of memory. */
char *hn_reduce_case_fewer(const HnStatement *s);

#endif
