/* SPDX-License-Identifier: Apache-2.0 */
/* explain: see explain.h. */
#include "passes/driver/explain.h"

#include "passes/analysis/structure/structure.h"
#include "passes/base/text.h"
#include "passes/ir/dump.h"
#include "passes/source/source_message.h"
#include "passes/source/source_names.h"

#include <stdlib.h>
#include <string.h>

typedef struct Names {
  SrSource *source;
  const char **at;   /* by id: the name in the module's debug information */
  const char **text; /* by id: the name in the assembly text; NULL: the input is a binary */
} Names;

typedef struct Explain {
  SrArena *out, *scratch;
  const SrModule *m;
  Names names;
  SrExplanation *to;
  SrText text;
} Explain;

/* ---- names ---- */

/* Appends `before` and a block's id, name and line ("%16 for.body main.cl:5"); appends nothing if
 * the block has neither a name nor a line. */
static bool name_block(SrText *text, const SrFunction *f, uint32_t block, const Names *names,
                       const char *before) {
  char line[SR_MOST_PLACE];
  uint32_t id = f->blocks[block].id;
  const char *name = names->at[id], *shown = names->text ? names->text[id] : NULL;
  if (name && shown && strcmp(name, shown) == 0)
    name = NULL; /* the text's own name is printed for the id */
  SrSourcePlace place = sr_source_of_block(names->source, f->blocks[block].list.first);
  sr_source_print(names->source, place, line, sizeof line);
  if (!name && !*line)
    return false;
  sr_text_add(text, "%s%%%u%s%.100s%s%s", before, id, name ? " " : "", name ? name : "",
              *line ? " " : "", line);
  return true;
}

/* Appends the blocks that the violation names, with their names and lines in the source. */
static void name_blocks(SrText *text, const SrFunction *f, const SrViolation *v,
                        const Names *names) {
  const uint32_t blocks[] = {v->header, v->from, v->to};
  bool any = false;
  for (int i = 0; i < 3; i++) {
    bool known = blocks[i] == SR_NONE;
    for (int k = 0; k < i; k++)
      known |= blocks[k] == blocks[i];
    if (!known)
      any |= name_block(text, f, blocks[i], names, any ? ", " : " (");
  }
  sr_text_add(text, "%s", any ? ")" : "");
}

/* Appends a line, with the names of the text in place of numbers: "%16" becomes "%for". Whatever
 * names contain, the result is one line. */
static void add_line(Explain *e, const char *line) {
  for (const char *p = line; *p;) {
    char *end = NULL;
    unsigned long long id =
        p[0] == '%' && p[1] >= '0' && p[1] <= '9' ? strtoull(p + 1, &end, 10) : 0;
    const char *name = end && e->names.text && id < sr_bound(e->m) ? e->names.text[id] : NULL;
    if (name) {
      sr_text_add(&e->text, "%%%s", name);
      p = end;
    } else {
      char c = (unsigned char)*p < ' ' ? ' ' : *p;
      sr_text_put(&e->text, &c, 1);
      p++;
    }
  }
}

/* ---- violations ---- */

static uint32_t id_of(const SrFunction *f, uint32_t block) {
  return block == SR_NONE ? 0 : f->blocks[block].id;
}

static const uint32_t *ids_of(Explain *e, const SrFunction *f, const SrViolation *v) {
  uint32_t *ids = SR_NEW(e->out, uint32_t, v->entry_count + 1);
  for (uint32_t i = 0; i < v->entry_count; i++)
    ids[i] = f->blocks[v->entries[i]].id;
  return ids;
}

static void add_violation(Explain *e, const SrFunction *f, const SrViolation *v) {
  SrText line = {.arena = e->scratch};
  uint32_t start = e->text.count;
  const char *function = sr_function_name(e->m, e->scratch, f);
  sr_text_add(&line, "function %s", function);
  if (v->header != SR_NONE)
    sr_text_add(&line, ", construct of %%%u", f->blocks[v->header].id);
  const char *rule = sr_rule_text(v->rule); /* v->text ends with the rule's section, which is cut
                                               off here */
  sr_text_add(&line, ": %s [%s: %.*s]", v->text, sr_rule_name(v->rule),
              (int)(strrchr(rule, '(') - rule - 1), rule);
  name_blocks(&line, f, v, &e->names);
  add_line(e, sr_text_end(&line));
  SR_PUSH(
      e->out, &e->to->violations,
      (spvreconv_violation){.function = sr_strndup(e->out, function, strlen(function)),
                            .function_id = f->id,
                            .rule = sr_rule_name(v->rule),
                            .statement = rule,
                            .construct = id_of(f, v->header),
                            .from = id_of(f, v->from),
                            .to = id_of(f, v->to),
                            .entries = ids_of(e, f, v),
                            .entry_count = v->entry_count,
                            .text = sr_strndup(e->out, e->text.at + start, e->text.count - start)});
  sr_text_add(&e->text, "\n");
}

void sr_explain(SrArena *out, SrArena *scratch, const SrModule *m, const SrSourceText *source,
                bool portable, SrExplanation *explanation) {
  *explanation = (SrExplanation){0};
  Explain e = {.out = out,
               .scratch = scratch,
               .m = m,
               .names = {sr_source_new(out, m), sr_source_names(out, m),
                         source->text ? sr_source_text_names(out, source, m) : NULL},
               .to = explanation,
               .text = {.arena = out}};
  for (uint32_t i = 0; i < m->function_count; i++) {
    SrMark mark = sr_arena_mark(scratch);
    SrViolations found = {0};
    if (portable)
      sr_structure_check_portably(scratch, m, &m->functions[i], UINT32_MAX, &found);
    else
      sr_structure_check(scratch, m, &m->functions[i], UINT32_MAX, &found);
    for (uint32_t k = 0; k < found.count; k++)
      add_violation(&e, &m->functions[i], &found.at[k]);
    sr_arena_reset(scratch, mark);
  }
  explanation->text = sr_text_end(&e.text);
}
