/* SPDX-License-Identifier: Apache-2.0 */
/* validate: see validate.h.
 *
 * SPIRV-Tools' messages name an instruction by its number. Users need a place, so the number is
 * converted to a word offset, and the function and block around it. Ids, which SPIRV-Tools prints
 * as '27[%27]', become %27. */
#include "passes/driver/validate.h"

#include "passes/assembly/assembly.h"
#include "passes/assembly/grammar_age.h"
#include "passes/driver/straight.h"

#include <ctype.h>
#include <stdio.h>

enum { HEADER_WORDS = 5, TEXT_ROOM = 384 };

void sr_validate_env(SrValidation *v, const SrOptions *options, const SrModule *m) {
  static const spv_target_env vulkan[] = {
      SPV_ENV_VULKAN_1_0,           SPV_ENV_VULKAN_1_1, SPV_ENV_VULKAN_1_1, SPV_ENV_VULKAN_1_1,
      SPV_ENV_VULKAN_1_1_SPIRV_1_4, SPV_ENV_VULKAN_1_2, SPV_ENV_VULKAN_1_3};
  uint32_t minor = m->header[1] >> 8 & 0xff;
  minor = minor < 6 ? minor : 6;
  v->at_most = options->env_given ? options->env : sr_assembly_env(minor);
  v->env = options->env_given || !m->shader ? v->at_most : vulkan[minor];
}

/* ---- messages of SPIRV-Tools, reworded ---- */

/* Finds the place of instruction number n (from 1). */
static SrWhere find_place(const SrModule *m, SrArena *arena, const uint32_t *words, size_t count,
                          size_t n) {
  SrWhere where = SR_NOWHERE;
  uint32_t function = 0;
  size_t at = HEADER_WORDS;
  for (size_t i = 1; at < count && i <= n; at += words[at] >> 16, i++) {
    uint32_t op = words[at] & 0xffff;
    if (op == SpvOpFunction)
      function = words[at + 2];
    if (op == SpvOpLabel)
      where.block = words[at + 1];
    if (op == SpvOpFunction || op == SpvOpFunctionEnd)
      where.block = 0;
    where.word = (uint32_t)at;
    if (i < n && op == SpvOpFunctionEnd)
      function = 0;
  }
  for (uint32_t f = 0; function && f < m->function_count; f++)
    if (m->functions[f].id == function)
      where.function = sr_function_name(m, arena, &m->functions[f]);
  return where;
}

/* If '27[%27]' is at p: its end, and the length of 27; else NULL. */
static const char *quoted_id(const char *p, size_t *digits) {
  *digits = strspn(p + (*p == '\''), "0123456789");
  const char *q = p + 1 + *digits;
  if (*p != '\'' || *digits == 0 || strncmp(q, "[%", 2) != 0)
    return NULL;
  q = strstr(q, "]'");
  return q ? q + 2 : NULL;
}

/* The message's first line with plain ids. */
static size_t simplify(const char *text, char out[TEXT_ROOM]) {
  size_t n = 0;
  for (const char *p = text; *p && *p != '\n' && n + 16 < TEXT_ROOM;) {
    size_t digits;
    const char *end = quoted_id(p, &digits);
    if (!end) {
      out[n++] = *p++;
      continue;
    }
    n += (size_t)snprintf(out + n, TEXT_ROOM - n, "%%%.*s", digits < 10 ? (int)digits : 10, p + 1);
    p = end;
  }
  while (n && (isspace((unsigned char)out[n - 1]) || out[n - 1] == '.'))
    n--;
  out[n] = 0;
  return n;
}

/* Adds the second line, if there is one: the instruction. */
static void add_instruction(const char *text, char *out, size_t room) {
  const char *line = strchr(text, '\n');
  if (!line)
    return;
  line += strspn(line, " \n");
  int length = (int)strcspn(line, "\n");
  if (length)
    snprintf(out, room, ": %.*s%s", length < 80 ? length : 80, line, length > 80 ? "…" : "");
}

/* ---- the validator ---- */

typedef struct Verdict {
  spv_result_t code;
  size_t instruction; /* number from 1, or 0 */
  char text[TEXT_ROOM];
} Verdict;

/* Features that a device may have are allowed: scalar block layouts, and a local size by id. No
 * transform changes either. */
static void allow_features(spv_validator_options options) {
  spvValidatorOptionsSetScalarBlockLayout(options, true);
  spvValidatorOptionsSetWorkgroupScalarBlockLayout(options, true);
  spvValidatorOptionsSetAllowLocalSizeId(options, true);
}

static Verdict ask(spv_target_env env, uint32_t nesting, const uint32_t *words, size_t count) {
  Verdict v = {.code = SPV_ERROR_OUT_OF_MEMORY};
  spv_context context = spvContextCreate(env);
  spv_validator_options options = spvValidatorOptionsCreate();
  spv_diagnostic d = NULL;
  if (context && options) {
    spvValidatorOptionsSetFriendlyNames(options, false);
    allow_features(options);
    if (nesting)
      spvValidatorOptionsSetUniversalLimit(
          options, spv_validator_limit_max_control_flow_nesting_depth, nesting);
    spv_const_binary_t binary = {words, count};
    v.code = spvValidateWithOptions(context, options, &binary, &d);
  }
  if (v.code != SPV_SUCCESS) {
    const char *text = d && d->error ? d->error : "not valid";
    size_t n = simplify(text, v.text);
    add_instruction(text, v.text + n, TEXT_ROOM - n);
    v.instruction = d ? d->position.index : 0;
  }
  spvDiagnosticDestroy(d);
  spvValidatorOptionsDestroy(options);
  spvContextDestroy(context);
  return v;
}

typedef struct Words {
  const uint32_t *at;
  size_t count;
} Words;

/* Finds the instruction that the verdict complains about in the input, by its words, and returns
 * its word offset there; 0: the input does not have it. */
static size_t place_in_input(const SrValidation *v, Words words, const Verdict *verdict) {
  size_t at = HEADER_WORDS;
  for (size_t i = 1; at < words.count && i < verdict->instruction; i++)
    at += words.at[at] >> 16;
  if (at >= words.count)
    return 0;
  if (words.at == v->input)
    return at;
  size_t length = words.at[at] >> 16;
  for (size_t i = HEADER_WORDS; i < v->input_count; i += v->input[i] >> 16)
    if (v->input[i] == words.at[at] &&
        memcmp(&v->input[i], &words.at[at], length * sizeof *words.at) == 0)
      return i;
  return 0;
}

/* The environment of the input: a kernel's has no rules of Vulkan, even if the output is a shader. */
static spv_target_env env_of_input(const SrValidation *v) {
  bool kernel = false, shader = false;
  for (size_t i = HEADER_WORDS; i + 1 < v->input_count && (v->input[i] & 0xffff) == SpvOpCapability;
       i += 2) {
    kernel |= v->input[i + 1] == SpvCapabilityKernel;
    shader |= v->input[i + 1] == SpvCapabilityShader;
  }
  return kernel && !shader ? SPV_ENV_UNIVERSAL_1_6 : v->env;
}

/* The verdict on the input. `output` is the verdict on the words that were validated: the same
 * verdict if these words are the input. */
static Verdict ask_input(const SrValidation *v, const Verdict *output) {
  return v->words == v->input ? *output
                              : ask(env_of_input(v), v->nesting, v->input, v->input_count);
}

/* Are the input and the output refused for the same reason? */
static bool same_fault(const Verdict *input, const Verdict *output) {
  return input->code != SPV_SUCCESS && strcmp(input->text, output->text) == 0;
}

/* ---- rules of Vulkan that the input already breaks ---- */

/* Is the output valid for another API, and is the input at fault where the output is not valid for
 * this one? If the input lacks structure, the validator reports only this lack; then the input is
 * at fault if it has the instruction that the validator complains about in the output. If the input
 * was valid, the fault is ours. */
static bool is_for_others(const SrValidation *v, const Verdict *input, const Verdict *output) {
  if (v->strict || v->at_most == v->env || input->code == SPV_SUCCESS)
    return false;
  return (same_fault(input, output) || place_in_input(v, (Words){v->words, v->count}, output)) &&
         ask(v->at_most, v->nesting, v->words, v->count).code == SPV_SUCCESS;
}

static SrStatus notice_others(const SrModule *m, const SrValidation *v, const Verdict *output) {
  sr_notice(m->diag, SR_NOWHERE, "valid as %s, but not as %s, spirv-val says: %s",
            spvTargetEnvDescription(v->at_most), spvTargetEnvDescription(v->env), output->text);
  return SR_OK;
}

/* ---- a validator that is older than the module ---- */

static bool is_unknown(const SrValidation *v) {
  return !v->strict && sr_grammar_age_is_newer(v->env, v->words, v->count) &&
         sr_grammar_age_is_newer(v->env, v->input, v->input_count);
}

/* ---- whose fault it is ----------------------------------------------------------------------- */

static SrStatus refuse_words(const SrModule *m, Words words, uint32_t word, const char *whose,
                             const Verdict *verdict, const char *advice) {
  SrWhere where = find_place(m, m->arena, words.at, words.count, verdict->instruction);
  where.word = word;
  return sr_fail(m->diag, SR_BAD_INPUT, where, "%s, spirv-val says: %s%s", whose, verdict->text,
                 advice);
}

/* `words`: the input's, or others that were made from it. */
static SrStatus refuse_input(const SrModule *m, const SrValidation *v, Words words,
                             const Verdict *verdict) {
  size_t word = place_in_input(v, words, verdict);
  bool known =
      verdict->code != SPV_ERROR_INVALID_BINARY && verdict->code != SPV_ERROR_WRONG_VERSION;
  return refuse_words(
      m, words, word ? (uint32_t)word : SR_NONE, "the input is not valid", verdict,
      v->advice && known ? v->advice(v->user, verdict->code == SPV_ERROR_INVALID_CFG) : "");
}

/* If the input lacks structure, the validator reports nothing else. *fault: its verdict on
 * everything else in these words. */
static bool has_other_fault(const SrModule *m, const SrValidation *v, Words *words,
                            Verdict *fault) {
  words->at = sr_straight(m->arena, v->input, v->input_count, &words->count);
  *fault = ask(v->env, v->nesting, words->at, words->count);
  return fault->code != SPV_SUCCESS && fault->code != SPV_ERROR_OUT_OF_MEMORY &&
         place_in_input(v, *words, fault);
}

static SrStatus refuse(const SrModule *m, const SrValidation *v, const Verdict *input,
                       const Verdict *output) {
  const Words own = {v->input, v->input_count}, words = {v->words, v->count};
  Words rest;
  Verdict fault;
  if (v->words == v->input || v->straight)
    return refuse_input(m, v, words, output);
  if (input->code != SPV_SUCCESS && input->code != SPV_ERROR_INVALID_CFG)
    return refuse_input(m, v, own, input);
  if (input->code != SPV_SUCCESS && has_other_fault(m, v, &rest, &fault))
    return refuse_input(m, v, rest, &fault);
  if (same_fault(input, output))
    return refuse_input(m, v, words, output);
  return refuse_words(m, words, SR_NONE, "after transforming", output, "");
}

/* ---- both ---------------------------------------------------------------------------------------
 */

static SrStatus settle(const SrModule *m, const SrValidation *v, const Verdict *output) {
  if (output->code == SPV_SUCCESS)
    return SR_OK;
  if (output->code == SPV_ERROR_OUT_OF_MEMORY)
    return sr_fail(m->diag, SR_OUT_OF_MEMORY, SR_NOWHERE, "out of memory");
  if (is_unknown(v)) {
    sr_notice(m->diag, SR_NOWHERE, "not validated, SPIRV-Tools %s is older than the module: %s",
              spvSoftwareVersionString(), output->text);
    return SR_OK;
  }
  Verdict input = ask_input(v, output);
  return is_for_others(v, &input, output) ? notice_others(m, v, output)
                                          : refuse(m, v, &input, output);
}

SrStatus sr_validate(const SrModule *m, const SrValidation *v) {
  Verdict output = ask(v->env, v->nesting, v->words, v->count);
  return settle(m, v, &output);
}

SrStatus sr_validate_rest(const SrModule *m, const SrValidation *v) {
  SrValidation rest = *v;
  Verdict fault;
  Words words;
  if (!has_other_fault(m, v, &words, &fault))
    return SR_OK;
  rest.words = words.at;
  rest.count = words.count;
  rest.straight = true;
  return settle(m, &rest, &fault);
}
