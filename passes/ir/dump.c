/* SPDX-License-Identifier: Apache-2.0 */
/* dump: see dump.h. SPIRV-Tools prints the text if it knows all instructions, else print.h does.
 * For remarks, lines are matched with instructions, in the order in which the writer wrote them. A
 * string operand may hold line ends, so a line ends only outside of quotes. */
#include "passes/ir/dump.h"

#include "passes/base/text.h"
#include "passes/ir/print.h"

enum { REMARK_COLUMN = 72 };

const char *sr_dump_text(SrArena *arena, const uint32_t *words, size_t count, spv_text *owner) {
  *owner = NULL;
  spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
  if (!context)
    return NULL;
  spv_diagnostic d = NULL;
  spvBinaryToText(context, words, count, SPV_BINARY_TO_TEXT_OPTION_INDENT, owner, &d);
  spvDiagnosticDestroy(d);
  spvContextDestroy(context);
  return *owner ? (*owner)->str : sr_print_words(arena, words, count);
}

/* The end of the instruction that starts at p, its line end included. */
static const char *line_end(const char *p) {
  for (bool quoted = false; *p; p++) {
    if (quoted && *p == '\\' && p[1])
      p++;
    else if (*p == '"')
      quoted = !quoted;
    else if (*p == '\n' && !quoted)
      return p + 1;
  }
  return p;
}

/* ---- walking ---- */

typedef struct Walk {
  const char *next; /* of SPIRV-Tools' text */
  SrDumpLine *line;
  void *user;
} Walk;

static void take(Walk *w, SrRef r, const char *end) {
  w->line(w->user, r, w->next, (size_t)(end - w->next));
  w->next = end;
}

static void walk_list(const SrModule *m, Walk *w, SrList list) {
  for (SR_EACH(m, r, list)) {
    while (*w->next == ';')
      take(w, SR_NONE, line_end(w->next));
    take(w, r, line_end(w->next));
  }
}

void sr_dump_walk(const SrModule *m, const char *plain, SrDumpLine *line, void *user) {
  Walk w = {.next = plain, .line = line, .user = user};
  walk_list(m, &w, m->globals);
  for (uint32_t i = 0; i < m->function_count; i++) {
    const SrFunction *f = &m->functions[i];
    walk_list(m, &w, f->head);
    for (uint32_t b = 0; b < f->block_count; b++)
      walk_list(m, &w, f->blocks[b].list);
    walk_list(m, &w, f->tail);
  }
  walk_list(m, &w, m->tail);
}

/* ---- remarks ---- */

typedef struct Annotated {
  SrText out;
  SrRemark *remark;
  void *user;
} Annotated;

static void annotate_line(void *user, SrRef r, const char *line, size_t length) {
  Annotated *a = user;
  const char *remark = r == SR_NONE ? NULL : a->remark(a->user, r);
  int width = (int)length - 1;
  if (remark)
    sr_text_add(&a->out, "%.*s%*s ; %s\n", width, line,
                width < REMARK_COLUMN ? REMARK_COLUMN - width : 0, "", remark);
  else
    sr_text_put(&a->out, line, length);
}

char *sr_dump_annotated(const SrModule *m, SrArena *arena, const char *plain, SrRemark *remark,
                        void *user) {
  Annotated a = {.out = {.arena = arena}, .remark = remark, .user = user};
  sr_dump_walk(m, plain, annotate_line, &a);
  return sr_text_end(&a.out);
}
