/* SPDX-License-Identifier: Apache-2.0 */
/* The verifier of structured control flow on small graphs (messages, limit), deep nests and large
 * functions. Every rule has its modules in tests/structure, compared with SPIRV-Tools by
 * test_agree.
 *
 * Functions are written in a tiny language, one statement per block:
 *   "10 sel 13 if 11 12; 11 br 13; 12 br 13; 13 ret"
 * id, "phi" for a phi (without operands, which no rule reads), "sel MERGE" or "loop MERGE TARGET",
 * then "br T", "if T F", "switch DEFAULT T …", "ret", or "dead" for
 * OpUnreachable. */
#include "passes/analysis/graph/nesting.h"
#include "passes/analysis/structure/structure.h"
#include "passes/ir/reader.h"
#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct Test {
  SrHeap heap;
  SrArena arena;
  SrDiag diag;
  SR_VEC(uint32_t) words;
  SrModule *module;
  SrViolations found;
} Test;

static void put(Test *t, uint16_t op, uint32_t count, const uint32_t *operands) {
  SR_PUSH(&t->arena, &t->words, (count + 1) << 16 | op);
  for (uint32_t i = 0; i < count; i++)
    SR_PUSH(&t->arena, &t->words, operands[i]);
}

#define PUT(t, op, ...)                                                                            \
  put((t), (op), sizeof(uint32_t[]){__VA_ARGS__} / sizeof(uint32_t), (uint32_t[]){__VA_ARGS__})

enum { VOID = 1, TYPE, BOOL, TRUE_, UINT, ONE, MAIN, FIRST_BLOCK = 10, FIRST_PHI = 1000 };

/* Everything before the first block of the one function. */
static void begin(Test *t, bool shader) {
  *t = (Test){0};
  sr_heap_init(&t->heap);
  t->arena = sr_arena_new(&t->heap);
  const uint32_t header[] = {SpvMagicNumber, 0x10500, 0, 0, 0};
  for (int i = 0; i < 5; i++)
    SR_PUSH(&t->arena, &t->words, header[i]);
  PUT(t, SpvOpCapability, shader ? SpvCapabilityShader : SpvCapabilityKernel);
  PUT(t, SpvOpCapability, SpvCapabilityLinkage);
  PUT(t, SpvOpMemoryModel, 0, 0);
  PUT(t, SpvOpTypeVoid, VOID);
  PUT(t, SpvOpTypeFunction, TYPE, VOID);
  PUT(t, SpvOpTypeBool, BOOL);
  PUT(t, SpvOpConstantTrue, BOOL, TRUE_);
  PUT(t, SpvOpTypeInt, UINT, 32, 0);
  PUT(t, SpvOpConstant, UINT, ONE, 1);
  PUT(t, SpvOpFunction, VOID, MAIN, 0, TYPE);
}

static void label(Test *t, uint32_t id) {
  PUT(t, SpvOpLabel, id);
  if (t->words.at[3] <= id)
    t->words.at[3] = id + 1;
}
static void sel(Test *t, uint32_t merge) {
  PUT(t, SpvOpSelectionMerge, merge, 0);
}
static void loop(Test *t, uint32_t merge, uint32_t target) {
  PUT(t, SpvOpLoopMerge, merge, target, 0);
}
static void br(Test *t, uint32_t to) {
  PUT(t, SpvOpBranch, to);
}
static void br_if(Test *t, uint32_t yes, uint32_t no) {
  PUT(t, SpvOpBranchConditional, TRUE_, yes, no);
}

static uint32_t check(Test *t, uint32_t limit) {
  put(t, SpvOpFunctionEnd, 0, NULL);
  if (sr_read(&t->arena, &t->diag, t->words.at, t->words.count, &t->module) != SR_OK)
    fail_msg("%s", t->diag.text);
  return sr_structure_check(&t->arena, t->module, &t->module->functions[0], limit, &t->found);
}

static void end(Test *t) {
  sr_heap_free_all(&t->heap);
}

static bool take(const char **at, const char *word) {
  *at += strspn(*at, " ");
  size_t n = strlen(word);
  if (strncmp(*at, word, n) != 0)
    return false;
  *at += n;
  return true;
}

static uint32_t number(const char **at) {
  char *after;
  uint32_t n = (uint32_t)strtoul(*at, &after, 10);
  *at = after;
  return n;
}

static void read_switch(Test *t, const char **at) {
  uint32_t operands[64] = {ONE, number(at)}, count = 2;
  for (uint32_t value = 0; **at == ' '; value++) {
    operands[count++] = value;
    operands[count++] = number(at);
  }
  put(t, SpvOpSwitch, count, operands);
}

static void read_block(Test *t, const char **at) {
  label(t, number(at));
  uint32_t a = 0;
  if (take(at, "phi"))
    PUT(t, SpvOpPhi, UINT, t->words.at[3]++);
  if (take(at, "sel"))
    sel(t, number(at));
  else if (take(at, "loop"))
    a = number(at), loop(t, a, number(at));
  if (take(at, "br"))
    br(t, number(at));
  else if (take(at, "if"))
    a = number(at), br_if(t, a, number(at));
  else if (take(at, "switch"))
    read_switch(t, at);
  else if (take(at, "ret"))
    put(t, SpvOpReturn, 0, NULL);
  else if (take(at, "dead"))
    put(t, SpvOpUnreachable, 0, NULL);
  else
    fail_msg("cannot read '%s'", *at);
}

static uint32_t check_text(Test *t, const char *text, bool shader, uint32_t limit) {
  begin(t, shader);
  t->words.at[3] = FIRST_PHI;
  do
    read_block(t, &text);
  while (take(&text, ";"));
  return check(t, limit);
}

/* ---- messages and results ---- */

static void rules_have_names(void **state) {
  (void)state;
  assert_string_equal(sr_rule_name(SR_RULE_loop_exit), "loop_exit");
  for (int i = 0; i < SR_RULE_COUNT; i++) {
    const char *source = i > SR_RULE_case_merge ? "(SP" /* SPIR-V 2.11, SPV_KHR_… */
                                                : "(portable structure ";
    assert_non_null(strstr(sr_rule_text((SrRule)i), source));
    assert_true(strlen(sr_rule_name((SrRule)i)) > 4);
  }
}

static const char two_loops[] =
    "10 br 11; 11 loop 20 19 br 12; 12 loop 17 16 br 13; 13 if 14 20; 14 br 16; 16 if 12 17;"
    "17 br 19; 19 br 11; 20 ret";

static void breach_is_described(void **state) {
  (void)state;
  Test t;
  assert_int_equal(check_text(&t, two_loops, true, 10), 1);
  const SrViolation *v = &t.found.at[0];
  const SrBlock *blocks = t.module->functions[0].blocks;
  assert_int_equal(v->rule, SR_RULE_loop_exit);
  assert_int_equal(blocks[v->header].id, 12);
  assert_int_equal(blocks[v->from].id, 13);
  assert_int_equal(blocks[v->to].id, 20);
  assert_string_equal(v->text,
                      "edge %13 -> %20 leaves the loop construct of %12 for a block that is "
                      "neither its merge block %17 nor its continue target %16; route it through "
                      "%17 (SPIR-V 2.11.3)");
  end(&t);
}

static void kernels_are_judged_alike(void **state) {
  (void)state;
  Test t;
  assert_int_equal(check_text(&t, two_loops, false, 10), 1);
  end(&t);
  assert_int_equal(check_text(&t, "10 sel 12 if 11 12; 11 br 12; 12 ret", false, 10), 0);
  end(&t);
}

static void breaches_are_limited(void **state) {
  (void)state;
  static const char text[] =
      "10 if 11 12; 11 if 13 14; 12 if 15 16; 13 ret; 14 ret; 15 ret; 16 ret";
  Test t;
  assert_int_equal(check_text(&t, text, true, 10), 3);
  assert_int_equal(t.found.count, 3);
  end(&t);
  assert_int_equal(check_text(&t, text, true, 1), 1);
  end(&t);
  assert_int_equal(check_text(&t, text, true, 0), 0);
  end(&t);
}

/* A loop's header ends in a branch with one or two targets, a selection's in one with two or more.
 */
static void headers_end_in_branches(void **state) {
  (void)state;
  static const struct {
    const char *text;
    bool good;
  } cases[] = {
      {"10 br 11; 11 loop 13 12 br 12; 12 if 11 13; 13 ret", true},
      {"10 br 11; 11 loop 13 12 if 12 13; 12 br 11; 13 ret", true},
      {"10 br 11; 11 loop 13 12 ret; 12 br 11; 13 ret", false},
      {"10 br 11; 11 loop 13 12 switch 12 13; 12 br 11; 13 ret", false},
      {"10 sel 12 if 11 12; 11 br 12; 12 ret", true},
      {"10 sel 12 switch 12 11; 11 br 12; 12 ret", true},
      {"10 sel 12 br 11; 11 br 12; 12 ret", false},
      {"10 sel 12 ret; 12 ret", false},
  };
  for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
    Test t;
    uint32_t breaches = check_text(&t, cases[i].text, true, 10);
    assert_int_equal(breaches == 0, cases[i].good);
    if (breaches)
      assert_int_equal(t.found.at[0].rule, SR_RULE_merge_terminator);
    end(&t);
  }
}

/* Rules that rely on the declarations are checked only if these are correct. */
static void declarations_come_first(void **state) {
  (void)state;
  Test t;
  assert_int_equal(
      check_text(&t, "10 if 11 12; 11 sel 14 if 13 14; 13 ret; 12 sel 14 if 15 14; 15 ret; 14 ret",
                 true, 10),
      2);
  assert_int_equal(t.found.at[0].rule, SR_RULE_merge_dominance);
  assert_int_equal(t.found.at[1].rule, SR_RULE_merge_unique);
  end(&t);
}

static void declaration_has_no_breach(void **state) {
  (void)state;
  Test t;
  begin(&t, true);
  t.words.at[3] = FIRST_BLOCK;
  assert_int_equal(check(&t, 10), 0);
  end(&t);
}

/* Ids of seven digits, the longest possible: every message is complete, with the section at its
 * end. */
static void long_ids_fit(void **state) {
  (void)state;
  static const char *const texts[] = {
      "4000010 br 4000011; 4000011 loop 4000020 4000019 br 4000012;"
      "4000012 loop 4000017 4000016 br 4000013; 4000013 if 4000014 4000020; 4000014 br 4000016;"
      "4000016 if 4000012 4000017; 4000017 br 4000019; 4000019 br 4000011; 4000020 ret",
      "4000010 sel 4000020 switch 4000020 4000011; 4000011 sel 4000015 switch 4000015 4000012;"
      "4000012 br 4000020; 4000015 br 4000020; 4000020 ret",
      "4000010 br 4000011; 4000011 loop 4000015 4000012 br 4000012; 4000012 if 4000013 4000015;"
      "4000013 br 4000011; 4000015 ret",
      "4000010 br 4000011; 4000011 loop 4000014 4000012 br 4000012; 4000012 if 4000011 4000013;"
      "4000013 br 4000014; 4000014 ret",
      "4000010 br 4000011; 4000011 loop 4000017 4000012 br 4000012; 4000012 sel 4000014 "
      "if 4000013 4000014; 4000013 ret; 4000014 if 4000011 4000017; 4000017 ret",
      "4000010 sel 4000013 if 4000011 4000013; 4000011 br 4000012; 4000012 ret; 4000013 br 4000012",
      "4000010 sel 4000020 switch 4000020 4000011 4000012; 4000011 br 4000013; 4000012 br 4000013;"
      "4000013 br 4000020; 4000020 ret",
      "4000010 sel 4000013 if 4000011 4000013; 4000011 sel 4000013 if 4000012 4000013;"
      "4000012 br 4000013; 4000013 ret",
  };
  for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
    Test t;
    assert_true(check_text(&t, texts[i], true, 10) > 0);
    for (uint32_t j = 0; j < t.found.count; j++) {
      const char *text = t.found.at[j].text;
      assert_int_equal(text[strlen(text) - 1], ')');
    }
    end(&t);
  }
}

/* ---- rules that the validator changed ---- */

static void judged_as(const char *text, uint32_t validator, bool structured, SrRule rule) {
  Test t;
  check_text(&t, text, true, 10);
  uint32_t breaches =
      sr_structure_check_as(&t.arena, t.module, &t.module->functions[0], 10, validator, &t.found);
  assert_int_equal(breaches, structured ? 0 : 1);
  if (!structured)
    assert_int_equal(t.found.at[0].rule, rule);
  end(&t);
}

static void rules_follow_the_validator(void **state) {
  (void)state;
  static const char header_selects[] =
      "10 br 11; 11 loop 16 15 if 12 13; 12 br 15; 13 br 15; 15 if 11 16; 16 ret";
  judged_as(header_selects, SR_VALIDATOR_LOOP_SELECTS - 1, true, 0);
  judged_as(header_selects, SR_VALIDATOR_LOOP_SELECTS, false, SR_RULE_selection_merge);
  static const char header_exits[] = "10 br 11; 11 loop 16 15 if 12 16; 12 br 15; 15 br 11; 16 ret";
  judged_as(header_exits, SR_VALIDATOR_LOOP_SELECTS, true, 0);
  static const char dead_entry[] =
      "10 br 11; 11 loop 14 13 br 12; 12 if 13 14; 13 br 11; 14 ret; 15 br 13";
  judged_as(dead_entry, SR_VALIDATOR_LIVE_ENTRIES - 1, false, SR_RULE_continue_entry);
  judged_as(dead_entry, SR_VALIDATOR_LIVE_ENTRIES, true, 0);
}

static void versions_are_read(void **state) {
  (void)state;
  assert_int_equal(sr_structure_validator("v2023.1"), 202301);
  assert_int_equal(sr_structure_validator("SPIRV-Tools v2025.10-dev unknown hash"), 202510);
  assert_int_equal(sr_structure_validator("unknown"), 0);
  assert_int_equal(sr_structure_validator("v7"), 0);
}

/* ---- portable structure ---- */

typedef struct Portable {
  const char *text;
  SrRule rule; /* SR_RULE_COUNT: the function obeys all */
  uint32_t from, to;
} Portable;

/* For each rule what breaks it, and what resembles that and obeys. */
static const Portable portable[] = {
    {"10 sel 14 switch 14 11 12; 11 br 12; 12 br 14; 14 ret", SR_RULE_fall_through, 11, 12},
    {"10 sel 14 switch 14 11 12; 11 br 14; 12 br 14; 14 ret", SR_RULE_COUNT, 0, 0},
    /* a case that is a loop, of one block and of two */
    {"10 sel 14 switch 14 11; 11 loop 13 11 if 11 13; 13 br 14; 14 ret", SR_RULE_COUNT, 0, 0},
    {"10 sel 14 switch 14 11; 11 loop 13 12 br 12; 12 br 15; 15 if 11 13; 13 br 14; 14 ret",
     SR_RULE_COUNT, 0, 0},
    /* a branch to the merge block of the selection around it, to a continue target, out of a loop
     * directly in it, and at its end */
    {"10 sel 14 if 11 14; 11 if 12 14; 12 br 14; 14 ret", SR_RULE_branch_merge, 11, SR_NONE},
    {"10 br 11; 11 loop 15 14 br 12; 12 if 13 14; 13 br 14; 14 br 11; 15 ret", SR_RULE_branch_merge,
     12, SR_NONE},
    {"10 br 11; 11 loop 15 14 br 12; 12 sel 16 if 13 16; 13 if 17 15; 17 br 16; 16 br 14;"
     "14 br 11; 15 ret",
     SR_RULE_branch_merge, 13, SR_NONE},
    {"10 br 11; 11 loop 15 14 br 12; 12 if 13 15; 13 br 14; 14 br 11; 15 ret", SR_RULE_COUNT, 0, 0},
    {"10 br 11; 11 loop 15 14 br 12; 12 br 14; 14 br 13; 13 if 11 15; 15 ret", SR_RULE_COUNT, 0, 0},
    /* out of a loop from inside a switch, also from a selection in it; out of a loop in a switch */
    {"10 br 11; 11 loop 19 18 br 12; 12 sel 16 switch 16 13; 13 br 19; 16 br 18; 18 br 11; 19 ret",
     SR_RULE_switch_break, 13, 19},
    {"10 br 11; 11 loop 19 18 br 12; 12 sel 16 switch 16 13; 13 sel 15 if 14 15; 14 br 19; 15 br "
     "16;"
     "16 br 18; 18 br 11; 19 ret",
     SR_RULE_switch_break, 14, 19},
    {"10 br 11; 11 loop 19 18 br 12; 12 sel 16 switch 16 13; 13 br 18; 16 if 18 19; 18 br 11; 19 "
     "ret",
     SR_RULE_COUNT, 0, 0},
    {"10 sel 19 switch 19 11; 11 loop 15 14 br 12; 12 if 13 15; 13 br 14; 14 br 11; 15 br 19; 19 "
     "ret",
     SR_RULE_COUNT, 0, 0},
    /* one edge enters a loop; what nothing reaches does not count */
    {"10 sel 16 if 11 12; 11 br 13; 12 br 13; 16 ret; 13 loop 15 14 br 14; 14 if 13 15; 15 br 16",
     SR_RULE_header_entry, 12, 13},
    {"10 br 13; 13 loop 15 14 br 14; 14 if 13 15; 15 ret; 16 br 13", SR_RULE_COUNT, 0, 0},
    {"10 sel 13 if 11 13; 11 br 13; 13 loop 15 14 br 14; 14 if 13 15; 15 ret", SR_RULE_header_entry,
     11, 13},
    {"10 sel 13 if 11 12; 11 br 13; 12 ret; 13 loop 15 14 br 14; 14 if 13 15; 15 ret",
     SR_RULE_header_alone, SR_NONE, 13},
    /* a continue target with phis */
    {"10 br 11; 11 loop 16 15 br 12; 12 sel 14 if 13 14; 13 br 15; 14 if 16 15; 15 phi br 11; 16 "
     "ret",
     SR_RULE_continue_edge, 14, 15},
    {"10 br 11; 11 loop 16 15 br 12; 12 sel 14 if 13 14; 13 br 15; 14 if 16 15; 15 br 11; 16 ret",
     SR_RULE_COUNT, 0, 0},
    /* the header of a selection */
    {"10 br 11; 11 loop 16 15 br 12; 12 sel 14 if 15 14; 14 if 16 13; 13 br 15; 15 br 11; 16 ret",
     SR_RULE_continue_header, 12, 15},
    {"10 br 11; 11 loop 16 15 br 12; 12 sel 14 if 17 14; 17 br 15; 14 if 16 15; 15 br 11; 16 ret",
     SR_RULE_COUNT, 0, 0},
    {"10 br 11; 11 loop 16 15 br 12; 12 sel 14 if 13 17; 13 br 15; 17 br 14; 14 br 15; 15 phi br "
     "11;"
     "16 dead",
     SR_RULE_COUNT, 0, 0},
    {"10 br 11; 11 loop 20 19 br 21; 21 sel 23 if 22 23; 22 br 19; 23 br 12; 12 loop 15 14 br 14;"
     "14 if 12 15; 15 br 19; 19 phi if 11 20; 20 ret",
     SR_RULE_continue_edge, 15, 19},
    /* in the end block of a loop that nothing reaches */
    {"10 br 11; 11 loop 16 15 br 12; 12 sel 14 if 13 17; 13 br 15; 17 br 16; 14 br 15; 15 br 11;"
     "16 ret",
     SR_RULE_dead_continue, 14, 15},
    /* a merge block that nothing reaches */
    {"10 br 11; 11 loop 16 15 br 12; 12 br 15; 15 br 11; 16 ret", SR_RULE_dead_merge, 16, 16},
    {"10 br 11; 11 loop 16 15 br 12; 12 br 15; 15 br 11; 16 dead", SR_RULE_COUNT, 0, 0},
    {"10 sel 19 switch 19 11; 11 sel 14 if 12 13; 12 br 19; 13 br 19; 14 br 19; 19 ret",
     SR_RULE_COUNT, 0, 0},
    /* a switch's merge block with phis: a case's edge, default's, one case alone, two of them */
    {"10 sel 14 switch 11 14 12; 11 br 14; 12 br 14; 14 phi ret", SR_RULE_case_phi, 10, 14},
    {"10 sel 14 switch 11 14 12; 11 br 14; 12 br 14; 14 ret", SR_RULE_COUNT, 0, 0},
    {"10 sel 14 switch 14 11 12; 11 br 14; 12 br 14; 14 phi ret", SR_RULE_COUNT, 0, 0},
    {"10 sel 15 switch 11 14; 11 sel 13 if 12 13; 12 br 15; 13 br 15; 14 ret; 15 phi ret",
     SR_RULE_case_merge, 11, 15},
    {"10 sel 15 switch 14 11; 11 sel 13 if 12 13; 12 br 15; 13 br 15; 14 ret; 15 phi ret",
     SR_RULE_case_merge, 11, 15},
    {"10 sel 15 switch 11 14; 11 sel 13 if 12 13; 12 br 15; 13 br 15; 14 ret; 15 ret",
     SR_RULE_COUNT, 0, 0},
    {"10 sel 15 switch 11 14; 11 sel 13 if 12 13; 12 br 13; 13 br 15; 14 ret; 15 phi ret",
     SR_RULE_COUNT, 0, 0},
    {"10 sel 15 switch 11 14; 11 sel 13 if 12 13; 12 br 15; 13 br 15; 14 br 15; 15 phi ret",
     SR_RULE_COUNT, 0, 0},
    {"10 sel 15 switch 15 11; 11 sel 13 if 12 13; 12 br 15; 13 br 15; 15 phi ret", SR_RULE_COUNT, 0,
     0},
};

static uint32_t id_of(const Test *t, uint32_t block) {
  return block == SR_NONE ? SR_NONE : t->module->functions[0].blocks[block].id;
}

static void rules_of_portable_structure(void **state) {
  (void)state;
  for (size_t i = 0; i < sizeof portable / sizeof *portable; i++) {
    const Portable *p = &portable[i];
    Test t;
    if (check_text(&t, p->text, true, 10))
      fail_msg("%s: %s", p->text, t.found.at[0].text);
    uint32_t breaches =
        sr_structure_check_portably(&t.arena, t.module, &t.module->functions[0], 10, &t.found);
    bool found = p->rule == SR_RULE_COUNT && breaches == 0;
    for (uint32_t k = 0; k < breaches; k++) {
      const SrViolation *v = &t.found.at[k];
      assert_true(sr_rule_is_portable(v->rule));
      found |= v->rule == p->rule && id_of(&t, v->from) == p->from && id_of(&t, v->to) == p->to;
    }
    if (!found)
      fail_msg("%s: %s", p->text, breaches ? t.found.at[0].text : "obeys all rules");
    end(&t);
  }
}

/* ---- size ---- */

/* Level i of a nest has ids base(i) + 0..3; loops (header, continue target, merge, body) alternate
 * with selections (header, -, merge, body). The innermost body branches to `innermost`, or if that
 * is 0 to its proper target. */
static uint32_t level(uint32_t i, uint32_t part) {
  return FIRST_BLOCK + 1 + 4 * i + part;
}

static void put_nest(Test *t, uint32_t depth, uint32_t innermost) {
  label(t, FIRST_BLOCK);
  br(t, level(0, 0));
  for (uint32_t i = 0; i < depth; i++) {
    label(t, level(i, 0));
    if (i % 2) {
      sel(t, level(i, 2));
      br_if(t, level(i, 3), level(i, 2));
    } else {
      loop(t, level(i, 2), level(i, 1));
      br_if(t, level(i, 3), level(i, 2));
    }
    label(t, level(i, 3));
    if (i + 1 < depth)
      br(t, level(i + 1, 0));
    else
      br(t, innermost ? innermost : i % 2 ? level(i, 2) : level(i, 1));
  }
  for (uint32_t i = depth; i-- > 0;) {
    if (i % 2 == 0) {
      label(t, level(i, 1));
      br(t, level(i, 0));
    }
    label(t, level(i, 2));
    if (i == 0)
      put(t, SpvOpReturn, 0, NULL);
    else
      br(t, i % 2 ? level(i - 1, 1) : level(i - 1, 2));
  }
}

static void nests_five_thousand_deep(void **state) {
  (void)state;
  Test t;
  begin(&t, true);
  put_nest(&t, 5000, 0);
  assert_int_equal(check(&t, 1), 0);
  end(&t);
  begin(&t, true);
  put_nest(&t, 5000, level(0, 2)); /* out of 2,500 loops with one edge */
  assert_int_equal(check(&t, 100), 1);
  assert_int_equal(t.found.at[0].rule, SR_RULE_selection_exit);
  end(&t);
}

/* An if in a loop. The figure of a block is the number of constructs around it times that of blocks
 * above it: 1 * 2 for 12, 2 * 3 for 16, 1 * 3 for 13, 1 * 2 for 14, which is a child of the header
 * as its continue target; 15 follows the loop. */
static void nesting_of_an_if_in_a_loop(void **state) {
  (void)state;
  Test t;
  SrNesting nesting = {0};
  check_text(&t,
             "10 br 11; 11 loop 15 14 br 12; 12 sel 13 if 16 13; 16 br 13; 13 if 14 15; 14 br 11;"
             "15 ret",
             true, 10);
  assert_int_equal(t.found.count, 0);
  sr_nesting_add(&nesting, &t.arena, t.module, &t.module->functions[0]);
  assert_int_equal(nesting.deepest, 2);
  assert_int_equal(nesting.cost, 2 + 6 + 3 + 2);
  end(&t);
}

/* if, if, … each in the then-side of the one before: all may break out of the one loop. */
static void breaks_from_deep_selections(void **state) {
  (void)state;
  enum { DEPTH = 5000, HEADER = FIRST_BLOCK + 1, TARGET, MERGE, FIRST };
  Test t;
  begin(&t, true);
  label(&t, FIRST_BLOCK);
  br(&t, HEADER);
  label(&t, HEADER);
  loop(&t, MERGE, TARGET);
  br(&t, FIRST);
  for (uint32_t i = 0; i < DEPTH; i++) {
    uint32_t h = FIRST + 3 * i;
    label(&t, h);
    sel(&t, h + 2);
    br_if(&t, h + 3, h + 1);
    label(&t, h + 1);
    br(&t, i % 2 ? MERGE : TARGET);
  }
  label(&t, FIRST + 3 * DEPTH);
  br(&t, FIRST + 3 * DEPTH - 1);
  for (uint32_t i = DEPTH; i-- > 0;) {
    label(&t, FIRST + 3 * i + 2);
    br(&t, i ? FIRST + 3 * i - 1 : TARGET);
  }
  label(&t, TARGET);
  br(&t, HEADER);
  label(&t, MERGE);
  put(&t, SpvOpReturn, 0, NULL);
  assert_int_equal(check(&t, 1), 0);
  end(&t);
}

/* Consecutive loops, and a switch of 16,383 cases that each fall through to the next. */
static void large_functions(void **state) {
  (void)state;
  Test t;
  begin(&t, true);
  for (uint32_t i = 0; i < 100000; i += 4) {
    label(&t, FIRST_BLOCK + i);
    br(&t, FIRST_BLOCK + i + 1);
    label(&t, FIRST_BLOCK + i + 1);
    loop(&t, FIRST_BLOCK + i + 4, FIRST_BLOCK + i + 3);
    br(&t, FIRST_BLOCK + i + 2);
    label(&t, FIRST_BLOCK + i + 2);
    br_if(&t, FIRST_BLOCK + i + 3, FIRST_BLOCK + i + 4);
    label(&t, FIRST_BLOCK + i + 3);
    br_if(&t, FIRST_BLOCK + i + 1, FIRST_BLOCK + i + 4);
  }
  label(&t, FIRST_BLOCK + 100000);
  put(&t, SpvOpReturn, 0, NULL);
  assert_int_equal(check(&t, 1), 0);
  end(&t);
}

static void widest_switch(void **state) {
  (void)state;
  enum { WAYS = 16383, MERGE = FIRST_BLOCK + 1, CASE };
  Test t;
  begin(&t, true);
  uint32_t *operands = SR_NEW(&t.arena, uint32_t, 2 + 2 * WAYS);
  operands[0] = ONE;
  operands[1] = MERGE;
  for (uint32_t i = 0; i < WAYS; i++) {
    operands[2 + 2 * i] = i;
    operands[3 + 2 * i] = CASE + i;
  }
  label(&t, FIRST_BLOCK);
  sel(&t, MERGE);
  put(&t, SpvOpSwitch, 2 + 2 * WAYS, operands);
  for (uint32_t i = 0; i < WAYS; i++) {
    label(&t, CASE + i);
    br(&t, i + 1 < WAYS ? CASE + i + 1 : MERGE);
  }
  label(&t, MERGE);
  put(&t, SpvOpReturn, 0, NULL);
  assert_int_equal(check(&t, 1), 0);
  end(&t);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rules_have_names),
      cmocka_unit_test(breach_is_described),
      cmocka_unit_test(kernels_are_judged_alike),
      cmocka_unit_test(breaches_are_limited),
      cmocka_unit_test(headers_end_in_branches),
      cmocka_unit_test(declarations_come_first),
      cmocka_unit_test(declaration_has_no_breach),
      cmocka_unit_test(long_ids_fit),
      cmocka_unit_test(rules_follow_the_validator),
      cmocka_unit_test(versions_are_read),
      cmocka_unit_test(rules_of_portable_structure),
      cmocka_unit_test(nests_five_thousand_deep),
      cmocka_unit_test(nesting_of_an_if_in_a_loop),
      cmocka_unit_test(breaks_from_deep_selections),
      cmocka_unit_test(large_functions),
      cmocka_unit_test(widest_switch),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
