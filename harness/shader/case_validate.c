/* SPDX-License-Identifier: Apache-2.0 */
/* case_validate: see case_validate.h. */
#include "harness/shader/case_validate.h"

#include "harness/shader/block_layout.h"
#include "harness/shader/kernel_strip.h"
#include "passes/assembly/grammar_age.h"

#include <spirv-tools/libspirv.h>
#include <spirv/unified1/spirv.h>
#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <string.h>

/* (Vulkan 1.1 always allows the relaxed layout.) */
static spv_validator_options options_of(const AmberScript *script) {
  spv_validator_options options = spvValidatorOptionsCreate();
  for (uint32_t i = 0; i < script->features.count; i++)
    for (size_t k = 0; k < HN_BLOCK_LAYOUTS; k++)
      if (amber_requires(&script->features.items[i], hn_block_layouts[k].feature))
        hn_block_layouts[k].set(options, true);
  return options;
}

/* Kernels, which only bare modules can be, have no Vulkan environment. */
static spv_target_env env_of(HnModule module) {
  return hn_kernel_strip_applies(module) ? SPV_ENV_UNIVERSAL_1_6 : SPV_ENV_VULKAN_1_3;
}

/* The message of spvreconv about the same error, which names the place in the module. NULL: it has
 * none, or no memory. */
static char *say_place(HnModule module, const char *error) {
  static const char before[] = "the input is not valid, spirv-val says: ";
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  options.transform = "none";
  options.validate = SPVRECONV_VALIDATE_FULL;
  options.target_env = "vulkan1.3";
  spvreconv_result *result;
  char *said = NULL;
  if (spvreconv_run(&options, module.words, module.count, &result) != SPVRECONV_OK && result) {
    const char *all = spvreconv_result_message(result), *cut = strstr(all, before);
    if (cut && strncmp(cut + strlen(before), error, strcspn(error, "\n")) == 0 &&
        asprintf(&said, "%.*s%s", (int)(cut - all), all, cut + strlen(before)) < 0)
      said = NULL;
  }
  spvreconv_result_destroy(result);
  return said;
}

/* Does the default transform make the module obey the rules of control flow? */
static bool is_repaired(HnModule module) {
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  spvreconv_result *result;
  spvreconv_run(&options, module.words, module.count, &result);
  bool repaired = spvreconv_result_repair(result, 0);
  spvreconv_result_destroy(result);
  return repaired;
}

static char *say_error(HnModule module, const char *error) {
  int length = (int)strcspn(error, "\n");
  char *said = NULL;
  if (!is_repaired(module))
    return strdup(error);
  length -= length && error[length - 1] == '.';
  return asprintf(&said, "%.*s; --transform=auto repairs it", length, error) < 0 ? NULL : said;
}

static const char *error_of(const spv_diagnostic diagnostic) {
  return diagnostic && diagnostic->error ? diagnostic->error : "spirv-val refuses the module";
}

/* Adds the place to an error whose first line (the only one that is shown) names no id. */
static char *message_of(HnModule module, const char *error) {
  bool names_id = memchr(error, '%', strcspn(error, "\n"));
  char *said = names_id ? NULL : say_place(module, error);
  return said ? said : say_error(module, error);
}

/* If the validator does not know all of the module, accepts it; *message says so. */
static bool pass_newer(HnModule module, const char *error, char **message) {
  if (!sr_grammar_age_is_newer(env_of(module), module.words, module.count))
    return false;
  if (asprintf(message, "not validated, SPIRV-Tools %s is older than the module: %.*s",
               spvSoftwareVersionString(), (int)strcspn(error, "\n"), error) < 0)
    *message = NULL;
  return true;
}

bool hn_validate(const AmberScript *script, HnModule module, char **message) {
  spv_context context = spvContextCreate(env_of(module));
  spv_validator_options options = options_of(script);
  spv_diagnostic diagnostic = NULL;
  spv_const_binary_t binary = {module.words, module.count};
  *message = NULL;
  bool good = spvValidateWithOptions(context, options, &binary, &diagnostic) == SPV_SUCCESS ||
              pass_newer(module, error_of(diagnostic), message);
  if (!good)
    *message = message_of(module, error_of(diagnostic));
  spvDiagnosticDestroy(diagnostic);
  spvValidatorOptionsDestroy(options);
  spvContextDestroy(context);
  return good;
}
