/* dump: see dump.h. SPIRV-Tools prints; for remarks its lines are walked side by side with the
 * instructions, in the order of the writer. A string operand may hold line ends, so a line is over
 * only outside of quotes. */
#include "ir/dump.h"

#include "base/text.h"

enum { REMARK_COLUMN = 72 };

spv_text sr_dump_text(const uint32_t *words, size_t count) {
  spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
  if (!context)
    return NULL;
  spv_text text = NULL;
  spv_diagnostic d = NULL;
  spvBinaryToText(context, words, count, SPV_BINARY_TO_TEXT_OPTION_INDENT, &text, &d);
  spvDiagnosticDestroy(d);
  spvContextDestroy(context);
  return text;
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

typedef struct Annotated {
  SrText out;
  const char *next; /* of SPIRV-Tools' text */
  SrRemark *remark;
  void *user;
} Annotated;

static void copy_comments(Annotated *a) {
  const char *p = a->next;
  while (*p == ';')
    p = line_end(p);
  sr_text_put(&a->out, a->next, (size_t)(p - a->next));
  a->next = p;
}

static void annotate_list(const SrModule *m, Annotated *a, SrList list) {
  for (SR_EACH(m, r, list)) {
    copy_comments(a);
    const char *end = line_end(a->next), *remark = a->remark(a->user, r);
    if (!remark) {
      sr_text_put(&a->out, a->next, (size_t)(end - a->next));
    } else {
      int width = (int)(end - a->next) - 1;
      sr_text_add(&a->out, "%.*s%*s ; %s\n", width, a->next,
                  width < REMARK_COLUMN ? REMARK_COLUMN - width : 0, "", remark);
    }
    a->next = end;
  }
}

char *sr_dump_annotated(const SrModule *m, SrArena *arena, const char *plain, SrRemark *remark,
                        void *user) {
  Annotated a = {.out = {.arena = arena}, .next = plain, .remark = remark, .user = user};
  annotate_list(m, &a, m->globals);
  for (uint32_t i = 0; i < m->function_count; i++) {
    const SrFunction *f = &m->functions[i];
    annotate_list(m, &a, f->head);
    for (uint32_t b = 0; b < f->block_count; b++)
      annotate_list(m, &a, f->blocks[b].list);
    annotate_list(m, &a, f->tail);
  }
  annotate_list(m, &a, m->tail);
  return sr_text_end(&a.out);
}
