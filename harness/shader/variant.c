/* SPDX-License-Identifier: Apache-2.0 */
/* variant: see variant.h. */
#include "harness/shader/variant.h"
#include "harness/shader/case_validate.h"
#include "harness/shader/shader.h"
#include "passes/base/compiler.h"

#include <spirv/unified1/spirv.h>
#include <spvreconv/spvreconv.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

typedef struct Maker {
  const AmberScript *script;
  const char *transforms;
  HnVariant *variant;
} Maker;

/* Sets the outcome and the message. With HN_PASS, the message is a remark. */
SR_PRINTF(4, 5)
static bool fail(const Maker *k, HnOutcome outcome, uint32_t shader, const char *format, ...) {
  char text[1024];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  text[strcspn(text, "\r\n")] = 0;
  k->variant->outcome = outcome;
  free(k->variant->message);
  if (asprintf(&k->variant->message, "shader %s: %s", k->script->shaders[shader].name, text) < 0)
    k->variant->message = NULL;
  return false;
}

/* ---- tests of the harness itself ---- */

/* For tests: with SPV_HARNESS_TEST=flip the first two-way branch of each changed module is
 * inverted. */
static void flip_a_branch(uint32_t *words, size_t count) {
  const char *test = getenv("SPV_HARNESS_TEST");
  if (!test || strcmp(test, "flip") != 0)
    return;
  for (size_t at = 5; at < count && words[at] >> 16; at += words[at] >> 16)
    if ((words[at] & 0xffff) == SpvOpBranchConditional) {
      uint32_t yes = words[at + 2];
      words[at + 2] = words[at + 3];
      words[at + 3] = yes;
      return;
    }
}

/* ---- one module ---- */

static bool transform(const Maker *k, uint32_t shader, HnModule in) {
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  options.transform = k->transforms;
  options.validate = SPVRECONV_VALIDATE_NONE; /* the harness validates, even variant `none` */
  spvreconv_result *result;
  bool good = spvreconv_run(&options, in.words, in.count, &result) == SPVRECONV_OK;
  size_t count;
  const uint32_t *words = spvreconv_result_words(result, &count);
  uint32_t *copy = good ? malloc(count * sizeof *copy) : NULL;
  if (copy) {
    memcpy(copy, words, count * sizeof *copy);
    if (spvreconv_result_changed(result))
      flip_a_branch(copy, count);
    k->variant->modules[shader] = (HnModule){copy, count};
  } else {
    good =
        fail(k, HN_FAIL, shader, "%s", good ? "out of memory" : spvreconv_result_message(result));
  }
  spvreconv_result_destroy(result);
  return good;
}

/* Does the transformed module compute what the script's module computes? */
static bool check(const Maker *k, uint32_t shader, HnModule in) {
  HnModule out = k->variant->modules[shader];
  spvreconv_result *result;
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  options.transform = k->transforms;
  bool good = spvreconv_compare(&options, in.words, in.count, out.words, out.count, &result) ==
              SPVRECONV_OK;
  if (!good)
    fail(k, HN_FAIL, shader, "--check: %s", spvreconv_result_message(result));
  spvreconv_result_destroy(result);
  return good;
}

static bool validate(const Maker *k, uint32_t shader) {
  char *message;
  bool good = hn_validate(k->script, k->variant->modules[shader], &message);
  if (!good || (message && !k->variant->message))
    fail(k, good ? HN_PASS : HN_INVALID, shader, "%s", message ? message : "out of memory");
  free(message);
  return good;
}

/* ---- all of a script ---- */

static uint64_t hash_of(const AmberScript *script, const HnModule *modules) {
  XXH3_state_t *state = XXH3_createState();
  XXH3_64bits_reset(state);
  for (uint32_t i = 0; i < script->shader_count; i++) {
    uint64_t count = modules[i].count;
    XXH3_64bits_update(state, &count, sizeof count);
    if (count)
      XXH3_64bits_update(state, modules[i].words, modules[i].count * sizeof *modules[i].words);
  }
  uint64_t hash = XXH3_64bits_digest(state);
  XXH3_freeState(state);
  return hash;
}

HnVariant hn_variant_make(const AmberScript *script, const HnModule *modules,
                          const char *transforms, bool checked) {
  HnVariant variant = {.outcome = HN_PASS};
  const Maker maker = {script, transforms, &variant};
  variant.modules = calloc(script->shader_count + 1u, sizeof *variant.modules);
  if (!variant.modules)
    variant.outcome = HN_FAIL;
  for (uint32_t i = 0; variant.outcome == HN_PASS && i < script->shader_count; i++)
    if (modules[i].count)
      transform(&maker, i, modules[i]);
  for (uint32_t i = 0; checked && variant.outcome == HN_PASS && i < script->shader_count; i++)
    if (modules[i].count)
      check(&maker, i, modules[i]);
  if (variant.outcome == HN_PASS)
    variant.hash = hash_of(script, variant.modules);
  for (uint32_t i = 0; variant.outcome == HN_PASS && i < script->shader_count; i++)
    if (modules[i].count)
      validate(&maker, i);
  return variant;
}

void hn_variant_free(HnVariant *variant, const AmberScript *script) {
  hn_shaders_free(variant->modules, script->shader_count);
  free(variant->message);
  *variant = (HnVariant){0};
}

/* Options are checked before the module, so the smallest module is enough. */
char *hn_variant_check(const char *transforms) {
  static const uint32_t module[] = {SpvMagicNumber,
                                    0x00010000,
                                    0,
                                    1,
                                    0,
                                    2 << 16 | SpvOpCapability,
                                    SpvCapabilityShader,
                                    3 << 16 | SpvOpMemoryModel,
                                    SpvAddressingModelLogical,
                                    SpvMemoryModelGLSL450};
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  options.transform = transforms;
  options.validate = SPVRECONV_VALIDATE_NONE;
  spvreconv_result *result;
  char *message = NULL;
  if (spvreconv_run(&options, module, sizeof module / sizeof *module, &result) != SPVRECONV_OK)
    message = strdup(spvreconv_result_message(result));
  spvreconv_result_destroy(result);
  return message;
}

/* What is wrong with list `at`, in itself or because it repeats an earlier list; NULL: nothing. */
static char *check_list(char *const *lists, uint32_t at) {
  char *message = lists[at] ? hn_variant_check(lists[at]) : strdup("out of memory");
  char *text = NULL;
  if (message && asprintf(&text, ": %s", message) < 0)
    text = NULL;
  free(message);
  for (uint32_t i = 0; !text && lists[at] && i < at; i++)
    if (strcmp(lists[i], lists[at]) == 0 && asprintf(&text, " names %s twice", lists[at]) < 0)
      text = NULL;
  return text;
}

char *hn_variant_split(const char *text, char *lists[HN_VARIANTS], uint32_t *count) {
  char *message = NULL;
  *count = 0;
  for (const char *p = text; !message; p++) {
    size_t length = strcspn(p, "+");
    if (*count == HN_VARIANTS)
      return asprintf(&message, " takes up to %d variants", HN_VARIANTS) < 0 ? NULL : message;
    lists[*count] = strndup(p, length);
    message = check_list(lists, (*count)++);
    p += length;
    if (!*p)
      break;
  }
  return message;
}
