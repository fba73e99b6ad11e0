/* SPDX-License-Identifier: Apache-2.0 */
/* structure_rule: the rules' names and statements, and the record of a violation. */
#include "passes/analysis/structure/structure_check.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static const struct {
  const char *name, *text;
} rules[] = {
#define SR_RULE(name, text) {#name, text},
#include "passes/analysis/structure/portable_rules.def"
#include "passes/analysis/structure/structure_rules.def"
};

const char *sr_rule_name(SrRule rule) {
  return rules[rule].name;
}

const char *sr_rule_text(SrRule rule) {
  return rules[rule].text;
}

bool sr_rule_is_portable(SrRule rule) {
  return rule < SR_RULE_merge_terminator; /* the first of SPIR-V's */
}

/* What SPIRV-Tools' validator demands of merge instructions in every module, with Shader or not. */
static bool holds_in_kernels(const SrStructureCheck *c, SrRule rule, uint32_t header, uint32_t to) {
  return rule == SR_RULE_merge_terminator || rule == SR_RULE_merge_unique ||
         rule == SR_RULE_merge_distinct ||
         (rule == SR_RULE_merge_dominance && header == to && sr_structure_is_loop(c, header));
}

void sr_structure_add(SrStructureCheck *c, SrRule rule, uint32_t header, uint32_t from, uint32_t to,
                      const char *format, ...) {
  if (c->out->count >= c->limit || (c->kernel && !holds_in_kernels(c, rule, header, to)))
    return;
  if (c->counts) {
    c->out->count++;
    return;
  }
  SrViolation v = {.rule = rule, .header = header, .from = from, .to = to};
  va_list args;
  va_start(args, format);
  int used = vsnprintf(v.text, sizeof v.text, format, args);
  va_end(args);
  if (used >= 0 && (size_t)used < sizeof v.text)
    snprintf(v.text + used, sizeof v.text - (size_t)used, " %s", strrchr(rules[rule].text, '('));
  SR_PUSH(c->arena, c->out, v);
}
