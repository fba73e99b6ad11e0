/* SPDX-License-Identifier: Apache-2.0 */
/* shader_maker: see shader_maker.h. */
#include "shader/shader_maker.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- target environments --------------------------------------------------------------------- */

#define TARGET(name, env, vulkan, spirv)                                                           \
  { name, SPV_ENV_##env, GLSLANG_TARGET_VULKAN_##vulkan, GLSLANG_TARGET_SPV_##spirv }

const HnTarget hn_targets[HN_TARGETS] = {
    TARGET("spv1.0", UNIVERSAL_1_0, 1_0, 1_0),
    TARGET("spv1.1", UNIVERSAL_1_1, 1_1, 1_1),
    TARGET("spv1.2", UNIVERSAL_1_2, 1_1, 1_2),
    TARGET("spv1.3", UNIVERSAL_1_3, 1_1, 1_3),
    TARGET("spv1.4", UNIVERSAL_1_4, 1_2, 1_4),
    TARGET("spv1.5", UNIVERSAL_1_5, 1_2, 1_5),
    TARGET("spv1.6", UNIVERSAL_1_6, 1_3, 1_6),
    TARGET("vulkan1.0", VULKAN_1_0, 1_0, 1_0),
    TARGET("vulkan1.1", VULKAN_1_1, 1_1, 1_3),
    TARGET("vulkan1.1spv1.4", VULKAN_1_1_SPIRV_1_4, 1_1, 1_4),
    TARGET("vulkan1.2", VULKAN_1_2, 1_2, 1_5),
    TARGET("vulkan1.3", VULKAN_1_3, 1_3, 1_6),
};

const HnTarget *hn_target_of(const AmberShader *shader) {
  if (shader->target_env)
    for (size_t i = 0; i < HN_TARGETS; i++)
      if (strcmp(hn_targets[i].name, shader->target_env) == 0)
        return &hn_targets[i];
  return &hn_targets[0];
}

/* ---- messages -------------------------------------------------------------------------------- */

static bool say(const HnMaker *maker, HnOutcome outcome, unsigned line, const char *what) {
  const AmberShader *shader = maker->shader;
  char place[64] = "";
  if (*maker->message)
    return false;
  *maker->outcome = outcome;
  unsigned script_line = shader->line;
  if (line && shader->source_line)
    script_line = shader->source_line + line - 1;
  else if (line)
    snprintf(place, sizeof place, "line %u of its file: ", line);
  if (asprintf(maker->message, "line %u: shader %s: %s%.*s", script_line, shader->name, place,
               (int)strcspn(what, "\r\n"), what) < 0)
    *maker->message = NULL;
  return false;
}

bool hn_maker_fail(const HnMaker *maker, unsigned line, const char *format, ...) {
  char what[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  return say(maker, HN_FAIL, line, what);
}

bool hn_maker_skip(const HnMaker *maker, const char *format, ...) {
  char what[512];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(what, sizeof what, format, arguments);
  va_end(arguments);
  return say(maker, HN_SKIP, 0, what);
}

bool hn_maker_keep(const HnMaker *maker, const uint32_t *words, size_t count) {
  uint32_t *copy = malloc(count * sizeof *copy + 1);
  if (!copy)
    return hn_maker_fail(maker, 0, "out of memory");
  if (count)
    memcpy(copy, words, count * sizeof *copy);
  *maker->module = (HnModule){.words = copy, .count = count};
  return true;
}
