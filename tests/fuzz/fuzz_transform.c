/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_transform: every transform, on modules of any control flow.
 *   - the result is a module, or BAD_INPUT and one line; never the status SPVRECONV_BUG
 *   - SPIRV-Tools' validator accepts the output. If it does not, the input must be wrong: then the
 *     validator refuses the outputs of none, structurize and guard, too (an exception:
 *     has_twin_ways)
 *   - in the emulator, one lane at a time, the output leaves the same memory as the input
 *
 * The generator word selects the transform and the options. */
#include "passes/driver/pass.h"
#include "tests/equiv/pass_lists.h"
#include "tests/fuzz/emu_world.h"
#include "tests/fuzz/fuzz.h"

#include <spirv/unified1/spirv.h>
#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_ISSUES = 2000, SLOWER = 50, GROWTH = 400 };

/* A list of transforms with an order. Output that need not be structured is validated as a
 * structurized copy. */
typedef struct Choice {
  char transform[64];
  const char *order;
} Choice;

/* Besides those of the table of transforms. */
static const char *const more[] = {"strip-merges,struct-copy,merge-copies",
                                   "strip-merges,linearize",
                                   "strip-merges,guard",
                                   "unstructure:8,reconverge",
                                   "unstructure:9,struct-copy",
                                   "structurize,undispatch",
                                   "strip-merges,guard,undispatch,structurize",
                                   "inline,share-calls:all,structurize",
                                   NULL};

/* The rows of --compare, then the lists; fuzz_main.c draws each of them. */
static Choice choose(uint32_t draw) {
  Choice c = {.order = NULL};
  const char *name, *order;
  uint32_t rows = 0, lists = 0;
  while (spvreconv_compare_info(rows, &name, &order))
    rows++;
  while (pass_lists_structured(lists, more))
    lists++;
  uint32_t k = draw % (rows + lists);
  if (k < rows)
    spvreconv_compare_info(k, &name, &c.order);
  else
    name = pass_lists_structured(k - rows, more);
  snprintf(c.transform, sizeof c.transform, "%s", name);
  return c;
}

static spvreconv_status transform(const Choice *c, unsigned want, const uint32_t *words,
                                  size_t count, spvreconv_result **result) {
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  options.transform = c->transform;
  options.order = c->order;
  options.validate = SPVRECONV_VALIDATE_FULL;
  options.max_growth = GROWTH;
  options.want = want | SPVRECONV_WANT_CHECK;
  return spvreconv_run(&options, words, count, result);
}

static bool blames_output(const spvreconv_result *result) {
  return strncmp(spvreconv_result_message(result), "after transforming", 18) == 0 ||
         strstr(spvreconv_result_message(result), ": after transforming");
}

/* Is it a single transform that keeps structure, and gives none to an input that lacks it? */
static bool only_keeps(const char *transform) {
  const SrPass *pass = sr_pass_find(transform, strlen(transform));
  return pass && pass->keeps & SR_STRUCTURED && !(pass->makes & (SR_STRUCTURED | SR_LOOSE));
}

/* Does the validator accept the output of some other transform, or the input, if structure is only
 * kept? */
static bool can_be_valid(const Choice *c, const uint32_t *words, size_t count) {
  static const Choice others[] = {{"none", NULL}, {"structurize", NULL}, {"guard", NULL}};
  size_t tried = only_keeps(c->transform) ? 1 : sizeof others / sizeof *others;
  bool valid = false;
  for (size_t i = 0; i < tried && !valid; i++) {
    spvreconv_result *result;
    valid = transform(&others[i], 0, words, count, &result) == SPVRECONV_OK;
    spvreconv_result_destroy(result);
  }
  return valid;
}

/* Has the module a branch with two equal targets, which SPIR-V forbids from version 1.6 on? A
 * transform may keep or remove such a branch. */
static bool has_twin_ways(const uint32_t *words, size_t count) {
  bool any = false;
  for (size_t at = 5; at < count && words[at] >> 16; at += words[at] >> 16)
    any = any || ((words[at] & 0xffff) == SpvOpBranchConditional && words[at] >> 16 > 3 &&
                  count - at > 3 && words[at + 2] == words[at + 3]);
  return any && words[1] >= 0x10600;
}

static void check_refusal(const Choice *c, const spvreconv_result *result, const uint32_t *words,
                          size_t count) {
  const char *message = spvreconv_result_message(result);
  if (!message || !*message || strchr(message, '\n'))
    fuzz_die("transform %s: not a message of one line: '%s'", c->transform, message);
  if (blames_output(result) && !has_twin_ways(words, count) && can_be_valid(c, words, count))
    fuzz_die("transform %s, order %s: %s", c->transform, c->order ? c->order : "none", message);
}

/* ---- the same results ------------------------------------------------------------------------ */

/* An undefined value may be a different one at each use. */
static bool has_undef(const uint32_t *words, size_t count) {
  bool any = false;
  for (size_t at = 5; at < count && words[at] >> 16; at += words[at] >> 16)
    any = any || (words[at] & 0xffff) == SpvOpUndef;
  return any;
}

/* Is there an instruction `op` whose word `place` is `value`? */
static bool has_inst(const uint32_t *words, size_t count, SpvOp op, uint32_t place,
                     uint32_t value) {
  bool any = false;
  for (size_t at = 5; at < count && words[at] >> 16; at += words[at] >> 16)
    any = any || ((words[at] & 0xffff) == op && words[at] >> 16 > place && count - at > place &&
                  words[at + place] == value);
  return any;
}

/* Halves that may only be loaded, stored and converted are carried in 32 bits
 * (transform/ssa/ssa_rematerialize.h), which makes a signaling NaN quiet. */
static bool carries_halves(const uint32_t *words, size_t count) {
  return has_inst(words, count, SpvOpTypeFloat, 2, 16) &&
         !has_inst(words, count, SpvOpCapability, 1, SpvCapabilityFloat16);
}

/* Runs the module to its end, one lane at a time; false: it does not end, or cannot be run. */
static bool run(const uint32_t *words, size_t count, uint64_t seed, uint64_t max_issues,
                EmuWorld *world) {
  const spv_emu_load_options load = {.subgroup_size = 1};
  spv_emu_program *program;
  char message[512];
  *world = (EmuWorld){.push = NULL};
  if (spv_emu_load(words, count, &load, &program, message, sizeof message) != SPV_EMU_OK)
    return false;
  emu_world_make(world, seed, program);
  spv_emu_run_options options = {.policy = "scalar", .groups = {1, 1, 1}, .max_issues = max_issues};
  emu_world_bind(world, &options);
  spv_emu_result *result;
  bool ran = spv_emu_run(program, &options, &result, message, sizeof message) == SPV_EMU_OK &&
             result->outcome == SPV_EMU_RAN;
  spv_emu_result_free(result);
  spv_emu_free(program);
  return ran;
}

static void check_results(const Choice *c, const uint32_t *words, size_t count,
                          const spvreconv_result *result) {
  size_t out_count;
  const uint32_t *out = spvreconv_result_words(result, &out_count);
  EmuWorld before, after = {.push = NULL};
  if (!spvreconv_result_changed(result) || has_undef(words, count))
    return;
  if (run(words, count, words[FUZZ_GENERATOR], MAX_ISSUES, &before)) {
    if (!run(out, out_count, words[FUZZ_GENERATOR], SLOWER * MAX_ISSUES, &after))
      fuzz_die("transform %s: the module runs, what comes out does not", c->transform);
    if (!emu_world_equal(&before, &after, carries_halves(words, count)))
      fuzz_die("transform %s: another result", c->transform);
  }
  emu_world_free(&before);
  emu_world_free(&after);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  size_t count;
  uint32_t *words = fuzz_words(data, size, &count);
  uint32_t draw = count > FUZZ_GENERATOR ? words[FUZZ_GENERATOR] : 0;
  const Choice c = choose(draw & 0xffff);
  unsigned want = draw >> 16 & 3 ? 0 : draw >> 18 & 63 & ~(unsigned)SPVRECONV_WANT_EXPLAIN;
  spvreconv_result *result;
  spvreconv_status status = transform(&c, want, words, count, &result);
  if (status == SPVRECONV_OK)
    check_results(&c, words, count, result);
  else if (status == SPVRECONV_BAD_INPUT)
    check_refusal(&c, result, words, count);
  else
    fuzz_die("transform %s: status %d: %s", c.transform, (int)status,
             spvreconv_result_message(result));
  spvreconv_result_destroy(result);
  free(words);
  return 0;
}
