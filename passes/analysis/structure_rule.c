/* SPDX-License-Identifier: Apache-2.0 */
/* structure_rule: the rules' names and statements, and the record of a violation. */
#include "analysis/structure_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
  const char *name, *text;
} rules[] = {
#define SR_RULE(name, text) {#name, text},
#include "analysis/portable_rules.def"
#include "analysis/structure_rules.def"
};

const char *sr_rule_name(SrRule rule) {
  return rules[rule].name;
}

const char *sr_rule_text(SrRule rule) {
  return rules[rule].text;
}

/* Records a violation: the text, and the section of the specification. */
void sr_structure_add(SrStructureCheck *c, SrRule rule, uint32_t header, uint32_t from, uint32_t to,
                      const char *format, ...) {
  if (c->out->count >= c->limit)
    return;
  SrViolation v = {.rule = rule, .header = header, .from = from, .to = to};
  va_list args;
  va_start(args, format);
  int used = vsnprintf(v.text, sizeof v.text, format, args);
  va_end(args);
  if (used >= 0 && (size_t)used < sizeof v.text)
    snprintf(v.text + used, sizeof v.text - (size_t)used, " %s", strrchr(rules[rule].text, '('));
  SR_PUSH(c->arena, c->out, v);
}
