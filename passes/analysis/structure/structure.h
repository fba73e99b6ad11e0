/* SPDX-License-Identifier: Apache-2.0 */
/* structure: a verifier of SPIR-V's structured control-flow rules (SPIR-V 1.6, section 2.11),
 * near-linear in the size of the function. */
#ifndef SR_STRUCTURE_H
#define SR_STRUCTURE_H

#include "passes/analysis/graph/cfg.h"
#include "passes/analysis/graph/dom.h"

typedef enum SrRule {
#define SR_RULE(name, text) SR_RULE_##name,
#include "passes/analysis/structure/portable_rules.def"
#include "passes/analysis/structure/structure_rules.def"
  SR_RULE_COUNT
} SrRule;

typedef struct SrViolation {
  SrRule rule;
  uint32_t header;         /* block index of the construct's header, or SR_NONE */
  uint32_t from, to;       /* the edge at fault, block indices, or SR_NONE */
  const uint32_t *entries; /* block indices of the entries of the cycle that the edge closes, if it
                              has several */
  uint32_t entry_count;
  char text[384]; /* phrased for a shader compiler's author, ids as %N */
} SrViolation;

typedef SR_VEC(SrViolation) SrViolations;

/* Finds violations of the rules in f, at most `limit` (1 is enough to know whether f is
 * structured). Returns how many were put into *out (allocated in `arena`). */
uint32_t sr_structure_check(SrArena *arena, const SrModule *m, const SrFunction *f, uint32_t limit,
                            SrViolations *out);

/* The same; a function that obeys SPIR-V's rules is also checked by those of portable structure
 * (portable_rules.def). */
uint32_t sr_structure_check_portably(SrArena *arena, const SrModule *m, const SrFunction *f,
                                     uint32_t limit, SrViolations *out);

/* The number of f's violations of the rules that the module's capabilities impose: with Shader all
 * rules, else only those about merge instructions themselves, since kernels need none. Counts what
 * sr_structure_check finds, without writing texts. */
uint32_t sr_structure_count(SrArena *scratch, const SrModule *m, const SrFunction *f);

/* This check agrees with SPIRV-Tools' validator, which reads three rules differently from these
 * versions on (202301 is v2023.1). sr_structure_check follows the version that is linked. */
enum {
  SR_VALIDATOR_LOOP_SELECTS = 202302, /* a loop header's conditional branch needs an exit, too */
  SR_VALIDATOR_LIVE_ENTRIES = 202404, /* unreachable code may enter a continue target */
  SR_VALIDATOR_SWITCH_EXITS = 202501, /* a case that no branch reaches may leave for a loop */
};
/* The version in the text of spvSoftwareVersionString(); 0 if the text has none. */
uint32_t sr_structure_validator(const char *version);
uint32_t sr_structure_check_as(SrArena *arena, const SrModule *m, const SrFunction *f,
                               uint32_t limit, uint32_t validator, SrViolations *out);
/* The rule's name as --explain prints it, and its one-line statement with the spec's section. */
const char *sr_rule_name(SrRule rule);
const char *sr_rule_text(SrRule rule);
/* Is it a rule of portable structure that SPIR-V does not have? */
bool sr_rule_is_portable(SrRule rule);

#endif
