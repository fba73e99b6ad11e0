/* SPDX-License-Identifier: Apache-2.0 */
/* test_lists: random modules with all that rich.h lists, through every transform and lists of two.
 *
 *   test_lists [--count=N] [--seed=N] [--lists=N] [--family=NAME] [--max-blocks=N] [--keep=FILE]
 *              [--transform=LIST] [--kernel]
 *
 * For each module, after one transform and --lists (2) random lists of two, or after the list of
 * --transform alone:
 *   - the checker (docs/check.md) finds no difference
 *   - structured output, or that of a kernel, validates
 *   - phi-variables leaves no OpPhi, except those that a notice counts
 *   - the emulator's `scalar`, and one more policy, leave the memory that `scalar` leaves before
 *
 * Many blocks call the same functions in every third module; in another third there are more
 * functions, each of which is called once. A module that a list refuses is counted. --kernel: the
 * modules are OpenCL kernels. --keep writes the module that fails. */
#include "tests/equiv/gen/rng.h"
#include "tests/equiv/pass_lists.h"
#include "tests/equiv/policies/random_case.h"
#include "tests/equiv/random_run.h"

#include <spirv-tools/libspirv.h>
#include <spirv/unified1/spirv.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct Test {
  RandomRun run;
  uint64_t lists;
  bool kernel;
  uint64_t runs, changed, refused, validated, kept;
  spv_context context;
} Test;

static const char *const policies[] = {"pdom",    "tf-stack", "maximal",   "minpc",
                                       "barrier", "tf-sandy", "stackless", "jip"};

static void validate(Test *t, const Case *c, const char *list, const uint32_t *words,
                     size_t count) {
  spv_const_binary_t binary = {words, count};
  spv_diagnostic diagnostic = NULL;
  if (spvValidate(t->context, &binary, &diagnostic) != SPV_SUCCESS)
    run_fail(c, "after %s: %s", list, diagnostic ? diagnostic->error : "does not validate");
  spvDiagnosticDestroy(diagnostic);
  t->validated++;
}

static bool is_structured(const spvreconv_result *result) {
  const spvreconv_function *f;
  for (size_t i = 0; (f = spvreconv_result_function(result, i)); i++)
    if (!f->after->structured)
      return false;
  return true;
}

/* Runs the output under a policy, and compares the memory. */
static void run_output(const Case *c, const char *list, const char *policy,
                       const Memory *expected) {
  char what[160];
  spv_emu_program *program = run_load(c, 8, NULL);
  Outcome *after = malloc(sizeof *after);
  *after = run_with(c, program, policy, (RunHow){0});
  snprintf(what, sizeof what, "scalar before and %s after %s", policy, list);
  run_same_memory(c, what, expected, &after->memory);
  run_end(after);
  spv_emu_free(program);
}

/* Adds the phis that a notice of phi-variables counts. */
static void count_kept(void *user, const char *line) {
  uint64_t *kept = user;
  const char *several = strstr(line, " OpPhis stay phis");
  if (strstr(line, "stays a phi: "))
    ++*kept;
  while (several && several > line && several[-1] >= '0' && several[-1] <= '9')
    several--;
  if (several)
    *kept += strtoull(several, NULL, 10);
}

static void no_phis(Test *t, const Case *c, const char *list, const uint32_t *words, size_t count,
                    uint64_t kept) {
  uint64_t phis = 0;
  for (size_t i = 5; i < count; i += words[i] >> 16)
    phis += (words[i] & 0xffff) == SpvOpPhi;
  if (phis != kept)
    run_fail(c, "after %s: %llu phis, %llu of them with a notice", list, (unsigned long long)phis,
             (unsigned long long)kept);
  t->kept += kept;
}

static bool ends_in(const char *list, const char *transform) {
  size_t n = strlen(list), k = strlen(transform);
  return n >= k && strcmp(list + n - k, transform) == 0;
}

static void after_list(Test *t, const Case *c, const char *list, const char *policy,
                       const Memory *expected) {
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  options.transform = list;
  options.validate = SPVRECONV_VALIDATE_NONE;
  options.want = SPVRECONV_WANT_STATS | SPVRECONV_WANT_CHECK;
  uint64_t kept = 0;
  options.message = count_kept;
  options.message_user = &kept;
  spvreconv_result *result;
  spvreconv_status status = spvreconv_run(&options, c->words, c->count, &result);
  if (status != SPVRECONV_OK && status != SPVRECONV_BAD_INPUT)
    run_fail(c, "%s: %s", list, spvreconv_result_message(result));
  t->runs++;
  t->refused += status == SPVRECONV_BAD_INPUT;
  if (status == SPVRECONV_OK && spvreconv_result_changed(result)) {
    Case out = *c;
    out.after = list;
    const uint32_t *words = spvreconv_result_words(result, &out.count);
    if (ends_in(list, "phi-variables"))
      no_phis(t, c, list, words, out.count, kept);
    if (t->kernel || is_structured(result))
      validate(t, c, list, words, out.count);
    out.words = malloc(out.count * sizeof *words);
    memcpy(out.words, words, out.count * sizeof *words);
    run_output(&out, list, "scalar", expected);
    run_output(&out, list, policy, expected);
    free(out.words);
    t->changed++;
  }
  spvreconv_result_destroy(result);
}

static void all_lists(Test *t, const Case *c, const Memory *expected) {
  Rng r = {rng_mix(c->seed)};
  char list[80];
  const char *policy = policies[c->seed % (sizeof policies / sizeof *policies)];
  if (t->run.transform) {
    after_list(t, c, t->run.transform, policy, expected);
    return;
  }
  uint32_t count = pass_lists_count();
  after_list(t, c, pass_lists_at((uint32_t)(c->seed % count))->alone, policy, expected);
  for (uint64_t k = 0; k < t->lists; k++) {
    uint32_t first = rng_below(&r, count), second = rng_below(&r, count);
    snprintf(list, sizeof list, "%s,%s", pass_lists_at(first)->alone, pass_lists_at(second)->alone);
    after_list(t, c, list, policy, expected);
  }
}

static void one_module(Test *t, uint64_t seed) {
  GenOptions gen = {.merges = -1,
                    .rich = true,
                    .kernel = t->kernel,
                    .handles = !t->kernel,
                    .calls = seed % 3 == 1,
                    .once = seed % 3 == 2};
  RandomCase *random = random_case_new(&t->run, seed, &gen);
  Case *c = &random->c;
  c->invocations = 12;
  c->kernel = t->kernel;
  if (t->kernel || random->module.merges)
    validate(t, c, "nothing", c->words, c->count);
  spv_emu_program *program = run_load(c, 8, NULL);
  Outcome *before = malloc(sizeof *before);
  *before = run_with(c, program, "scalar", (RunHow){0});
  all_lists(t, c, &before->memory);
  run_end(before);
  spv_emu_free(program);
  random_case_free(random);
}

/* ---- options --------------------------------------------------------------------------------- */

static bool read_option(const char *text, Test *t) {
  if (strncmp(text, "--lists=", 8) == 0) {
    t->lists = strtoull(text + 8, NULL, 10);
    return true;
  }
  if (run_is(text, "--kernel"))
    return t->kernel = true;
  return random_run_read(text, &t->run);
}

int main(int argc, char **argv) {
  Test t = {.run = {.count = 100, .seed = 1, .family = -1, .max_blocks = 40}, .lists = 2};
  for (int i = 1; i < argc; i++)
    if (!read_option(argv[i], &t)) {
      fprintf(stderr, "usage: test_lists [--count=N] [--seed=N] [--lists=N] [--family=NAME] "
                      "[--max-blocks=N] [--keep=FILE] [--transform=LIST] [--kernel]\n");
      return 2;
    }
  random_run_print(&t.run);
  t.context = spvContextCreate(t.kernel ? SPV_ENV_UNIVERSAL_1_6 : SPV_ENV_VULKAN_1_3);
  for (uint64_t k = 0; k < t.run.count; k++)
    one_module(&t, t.run.seed + k);
  spvContextDestroy(t.context);
  gen_print_families(run_sums.of_family);
  printf("%llu modules, %llu runs of lists: %llu changed, %llu refused, %llu outputs "
         "validated; phis that stay: %llu\n",
         (unsigned long long)t.run.count, (unsigned long long)t.runs, (unsigned long long)t.changed,
         (unsigned long long)t.refused, (unsigned long long)t.validated,
         (unsigned long long)t.kept);
  return t.changed == 0;
}
