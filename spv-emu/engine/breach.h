/* SPDX-License-Identifier: Apache-2.0 */
/* breach: finds at run time where a module breaks the rules that operands must be dynamically
 * uniform and that instructions must be in uniform control flow (--check=vuid).
 *
 * A *demand* is a rule at one instruction of the program; the decoder emits the demand's handler
 * before the instruction. "Dynamically uniform" means the same value in all invocations that
 * execute a dynamic instance of the instruction (SPIR-V 1.6, section 2.21). Under the policies
 * `structured` and `maximal` the lanes of an issue are those of one dynamic instance; under other
 * policies they may be fewer or more, so nothing is checked (EmuPolicy.tangles). */
#ifndef EMU_BREACH_H
#define EMU_BREACH_H

#include "spv-emu/engine/engine.h"

typedef enum EmuRule {
#define EMU_RULE(name, rule, text) EMU_RULE_##name,
#include "spv-emu/engine/rules.def"
#undef EMU_RULE
  EMU_RULE_COUNT
} EmuRule;

/* What a worker has found out about one demand. */
struct EmuBreach {
  uint64_t count; /* issues that broke the rule */
  /* The first such issue: */
  uint64_t subgroup;
  uint32_t lane[2]; /* two lanes whose values differ; else one that is active and one that is not */
  uint64_t value[2]; /* the values of these lanes, if the rule is about a value */
};

/* The rule's name and text (rules.def). */
const char *emu_rule_name(uint32_t rule);
const char *emu_rule_text(uint32_t rule);

/* Handlers; x: index in program->demands. */
void emu_demand_same(EmuLanes *s, const EmuIns *i); /* row a, of kind `list`, must be uniform */
void emu_demand_quad_same(EmuLanes *s, const EmuIns *i); /* … within each quad */
void emu_demand_all(EmuLanes *s, const EmuIns *i);   /* all lanes of the subgroup must be active */
void emu_demand_quads(EmuLanes *s, const EmuIns *i); /* all lanes of each active quad must be
                                                        active */

/* Adds the findings of another worker; both have `count` demands. */
void emu_breaches_add(struct EmuBreach *to, const struct EmuBreach *from, uint32_t count);

#endif
