/* SPDX-License-Identifier: Apache-2.0 */
/* test_agree: does spvreconv's check of structured control flow agree with SPIRV-Tools' validator?
 *
 *   test_agree [--mutations=N] [--seed=S] [--verbose] FILE|DIRECTORY...
 *
 * Takes every .spvasm, .spv and GLSL shader (compiled by glslangValidator) below the arguments, and
 * compares the two verdicts; then N times per module changes one or two ids of a merge instruction
 * or a branch, and compares again. Only verdicts on control flow count. Modules that the validator
 * refuses for another reason are skipped, as are modules without Shader, whose control flow it does
 * not check.
 *
 * A file in tests/structure begins with "; structured" or "; breaks RULE", which is also checked;
 * if the validator's verdict depends on its version, with "; breaks RULE until SPIRV-Tools 2024.3,
 * then structured" or similar.
 *
 * Known differences are listed below with their reasons; any other one fails. */
#include "passes/analysis/structure/structure.h"
#include "passes/ir/reader.h"
#include "tests/fuzz/mutate_flow.h"
#include "tests/structure/shader_files.h"

#include <spirv-tools/libspirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum Side { WE_REJECT, THEY_REJECT } Side;

/* `sign`: a part of the validator's message, or, if all of spvreconv's violations are of one rule,
 * of spvreconv's first message. */
static const struct {
  Side side;
  const char *sign, *reason;
} known[] = {
    {WE_REJECT, "neither edge leaves a construct",
     "a branch to two blocks without a merge passes the validator as soon as one of them was named "
     "by an earlier branch, be it an exit or not"},
    {WE_REJECT, "for a block that other cases reach too",
     "the validator uses a nesting depth: a block shared by two cases passes if it is a loop of "
     "one block, or if unreachable code names it as merge block"},
    {WE_REJECT, "but its back edge comes from there",
     "a loop that is its own continue target passes the validator with its back-edge block as its "
     "merge block"},
    {WE_REJECT, "is its own continue target, but its back edge",
     "the same loop with its merge block on the way back: no path leaves, so nothing "
     "post-dominates "
     "by the letter"},
    {THEY_REJECT, "appears in the binary before its dominator",
     "the order of blocks in the module is not a rule of structure; the writer corrects it"},
    {THEY_REJECT, "has invalid branch to block",
     "the validator uses a nesting depth: that of a case is wrong if unreachable code names it "
     "as merge block, that of a loop of one block if a case breaks out of its loop to it"},
};
enum { KNOWN = sizeof known / sizeof known[0] };

typedef struct Verdict {
  bool structured;
  SrRule rule; /* the first violation */
  bool one_rule;
  char text[384];
} Verdict;

typedef struct Totals {
  uint64_t compared, agreed, rejected, other_error, unread, kernels, unknown;
  uint64_t by_reason[KNOWN], by_rule[SR_RULE_COUNT];
} Totals;

typedef struct Run {
  spv_context context;
  spv_validator_options options;
  Totals files, mutants;
  uint64_t mutations, seed;
  bool verbose, failed;
} Run;

/* ---- our verdict ----------------------------------------------------------------------------- */

static void judge(SrHeap *heap, const SrModule *m, Verdict *v) {
  SrArena arena = sr_arena_new(heap);
  v->structured = true;
  v->one_rule = true;
  for (uint32_t i = 0; i < m->function_count; i++) {
    SrViolations found;
    uint32_t n = sr_structure_check(&arena, m, &m->functions[i], 64, &found);
    for (uint32_t j = 0; j < n; j++) {
      if (v->structured) {
        v->rule = found.at[j].rule;
        snprintf(v->text, sizeof v->text, "%s", found.at[j].text);
      }
      v->structured = false;
      v->one_rule = v->one_rule && found.at[j].rule == v->rule;
    }
  }
  sr_arena_free(&arena);
}

typedef enum Readable { READ, NOT_READ, KERNEL } Readable;

static Readable our_verdict(const uint32_t *words, size_t count, Verdict *v) {
  SrHeap heap = {0};
  sr_heap_init(&heap);
  if (setjmp(heap.out_of_memory))
    abort();
  SrArena arena = sr_arena_new(&heap);
  SrDiag diag = {0};
  SrModule *m;
  Readable result = READ;
  if (sr_read(&arena, &diag, words, count, &m) != SR_OK)
    result = NOT_READ;
  else if (!m->shader)
    result = KERNEL;
  else
    judge(&heap, m, v);
  sr_heap_free_all(&heap);
  return result;
}

/* ---- the validator's ------------------------------------------------------------------------- */

typedef enum Theirs { ACCEPTED, REJECTED, OTHER_ERROR } Theirs;

/* Is the refusal about structure? The validator checks some of these rules with those of ids or of
 * layout. */
static bool is_structural(spv_result_t result, const char *message) {
  static const char *const parts[] = {"Merge Block and Continue Target must be different",
                                      "Merge Block may not be the block containing",
                                      "Merge must immediately precede"};
  if (result == SPV_ERROR_INVALID_CFG)
    return true;
  for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++)
    if (strstr(message, parts[i]))
      return true;
  return false;
}

static Theirs their_verdict(const Run *run, const uint32_t *words, size_t count, char *message,
                            size_t room) {
  spv_const_binary_t binary = {words, count};
  spv_diagnostic diagnostic = NULL;
  spv_result_t result = spvValidateWithOptions(run->context, run->options, &binary, &diagnostic);
  snprintf(message, room, "%s", diagnostic ? diagnostic->error : "");
  message[strcspn(message, "\n")] = 0;
  spvDiagnosticDestroy(diagnostic);
  if (result == SPV_SUCCESS)
    return ACCEPTED;
  return is_structural(result, message) ? REJECTED : OTHER_ERROR;
}

/* ---- the comparison -------------------------------------------------------------------------- */

static int find_known(Side side, const Verdict *ours, const char *theirs) {
  for (int i = 0; i < KNOWN; i++)
    if (known[i].side == side && (side == THEY_REJECT || ours->one_rule) &&
        strstr(side == WE_REJECT ? ours->text : theirs, known[i].sign))
      return i;
  return -1;
}

static void differ(Run *run, Totals *t, const char *name, const Verdict *ours, const char *theirs) {
  int i = find_known(ours->structured ? THEY_REJECT : WE_REJECT, ours, theirs);
  if (i >= 0)
    t->by_reason[i]++;
  else
    t->unknown++;
  if (i >= 0 && t == &run->mutants && !run->verbose)
    return;
  printf("%s: %s\n  ours:   %s%s%s\n  theirs: %s\n", name, i >= 0 ? "known" : "DIFFERENT",
         ours->structured ? "structured" : sr_rule_name(ours->rule), ours->structured ? "" : ": ",
         ours->text, *theirs ? theirs : "valid");
}

/* Do the two verdicts differ for a reason that is not listed? */
static bool compare(Run *run, Totals *t, const char *name, const uint32_t *words, size_t count,
                    Verdict *ours) {
  char theirs[512];
  *ours = (Verdict){0};
  Readable readable = our_verdict(words, count, ours);
  if (readable != READ) {
    *(readable == NOT_READ ? &t->unread : &t->kernels) += 1;
    return false;
  }
  Theirs verdict = their_verdict(run, words, count, theirs, sizeof theirs);
  if (verdict == OTHER_ERROR) {
    t->other_error++;
    return false;
  }
  t->compared++;
  t->rejected += verdict == REJECTED;
  if (!ours->structured)
    t->by_rule[ours->rule]++;
  if (ours->structured == (verdict == ACCEPTED)) {
    t->agreed++;
    return false;
  }
  uint64_t before = t->unknown;
  differ(run, t, name, ours, theirs);
  return t->unknown > before;
}

/* Makes small changes of the module, and compares each. */
static void compare_mutants(Run *run, const char *name, const uint32_t *words, size_t count) {
  uint32_t *copy = malloc(count * sizeof *copy);
  for (uint64_t i = 0; i < run->mutations; i++) {
    memcpy(copy, words, count * sizeof *copy);
    uint64_t seed = run->seed + i;
    if (!mutate_flow(copy, count, seed))
      break;
    char label[512];
    Verdict ours;
    snprintf(label, sizeof label, "%s, mutant %llu", name, (unsigned long long)seed);
    if (compare(run, &run->mutants, label, copy, count, &ours))
      run->failed = true;
  }
  free(copy);
}

/* "structured" or "breaks RULE": the expectation in the first line of a file, after "; ", for the
 * linked version of the validator. */
static const char *expected_now(const char *note) {
  const char *until = strstr(note, " until SPIRV-Tools "), *then = strstr(note, ", then ");
  unsigned year, release;
  if (!until || !then || sscanf(until, " until SPIRV-Tools %u.%u", &year, &release) != 2)
    return note;
  bool past = sr_structure_validator(spvSoftwareVersionString()) > year * 100 + release;
  return past ? then + strlen(", then ") : note;
}

/* Checks the expectation in the first line of a file of tests/structure. */
static void check_expected(Run *run, const char *name, const char *note, const Verdict *ours) {
  char rule[64];
  note = expected_now(note + strspn(note, "; "));
  bool structured = strncmp(note, "structured", strlen("structured")) == 0;
  if (!structured && sscanf(note, "breaks %63s", rule) != 1)
    return;
  if (structured == ours->structured && (structured || strcmp(rule, sr_rule_name(ours->rule)) == 0))
    return;
  printf("%s: expected '%s', got %s: %s\n", name, note,
         ours->structured ? "structured" : sr_rule_name(ours->rule), ours->text);
  run->failed = true;
}

static void visit(void *user, const char *name, const uint32_t *words, size_t count,
                  const char *note) {
  Run *run = user;
  Verdict ours;
  if (compare(run, &run->files, name, words, count, &ours))
    run->failed = true;
  if (strstr(name, "tests/structure/"))
    check_expected(run, name, note, &ours);
  compare_mutants(run, name, words, count);
}

static void print_totals(const char *what, const Totals *t) {
  printf("%s: %llu compared, %llu agree (%llu rejected by spirv-val); not compared: %llu refused "
         "for other reasons, %llu not read, %llu kernels\n",
         what, (unsigned long long)t->compared, (unsigned long long)t->agreed,
         (unsigned long long)t->rejected, (unsigned long long)t->other_error,
         (unsigned long long)t->unread, (unsigned long long)t->kernels);
  for (int i = 0; i < KNOWN; i++)
    if (t->by_reason[i])
      printf("  %6llu %s: %s\n", (unsigned long long)t->by_reason[i],
             known[i].side == WE_REJECT ? "only we reject" : "only spirv-val rejects",
             known[i].reason);
  if (t->unknown)
    printf("  %6llu differ for no known reason\n", (unsigned long long)t->unknown);
  for (int i = 0; i < SR_RULE_COUNT; i++)
    if (t->by_rule[i])
      printf("  %6llu break %s\n", (unsigned long long)t->by_rule[i], sr_rule_name((SrRule)i));
}

int main(int argc, char **argv) {
  Run run = {.mutations = 20, .seed = 1, .options = spvValidatorOptionsCreate()};
  run.context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
  spvValidatorOptionsSetUniversalLimit(run.options,
                                       spv_validator_limit_max_control_flow_nesting_depth, 1000000);
  for (int i = 1; i < argc; i++) {
    if (strncmp(argv[i], "--mutations=", 12) == 0)
      run.mutations = strtoull(argv[i] + 12, NULL, 10);
    else if (strncmp(argv[i], "--seed=", 7) == 0)
      run.seed = strtoull(argv[i] + 7, NULL, 10);
    else if (strcmp(argv[i], "--verbose") == 0)
      run.verbose = true;
    else if (!visit_shader_files(argv[i], visit, &run))
      run.failed = true;
  }
  print_totals("files", &run.files);
  print_totals("mutants", &run.mutants);
  if (run.files.compared == 0) {
    printf("nothing to compare\n");
    run.failed = true;
  }
  spvValidatorOptionsDestroy(run.options);
  spvContextDestroy(run.context);
  return run.failed;
}
