/* SPDX-License-Identifier: Apache-2.0 */
/* shader: see shader.h. An HnMaker translates one shader, by its format: GLSL, OpenCL C, SPIR-V as
 * text, as hexadecimal numbers or as bytes, or the built-in pass-through vertex shader. */
#include "harness/shader/kernel_strip.h"
#include "harness/shader/shader_maker.h"

#include "passes/tool/compile/compile.h"

#include <stdlib.h>
#include <string.h>

/* ---- one shader ------------------------------------------------------------------------------ */

static void drop(HnModule *module) {
  free((void *)module->words);
  *module = (HnModule){0};
}

/* Keeps only the kernels of the file that the script uses. */
static bool keep_used(const HnMaker *maker) {
  const char *why = NULL;
  HnModule used = hn_kernel_strip(maker->script, (uint32_t)(maker->shader - maker->script->shaders),
                                  *maker->module, &why);
  drop(maker->module);
  *maker->module = used;
  return used.words || hn_maker_fail(maker, 0, "%s", why);
}

static bool make(const HnMaker *maker, bool *newer) {
  *newer = true; /* a newer version may help */
  switch (maker->shader->format) {
  case AMBER_GLSL:
    return hn_maker_glsl(maker, newer);
  case AMBER_SPIRV_ASM:
    return hn_maker_assembly(maker);
  case AMBER_SPIRV_HEX:
    return hn_maker_hex(maker);
  case AMBER_SPIRV_BIN:
    return hn_maker_binary(maker) && (!hn_kernel_strip_applies(*maker->module) || keep_used(maker));
  case AMBER_OPENCL_C:
    return hn_maker_opencl(maker) && keep_used(maker);
  default:
    return hn_maker_passthrough(maker);
  }
}

/* Is the version of the module known? Text of a module has a version, or is read as the lowest one
 * that fits. */
static bool has_version(const AmberShader *shader) {
  return shader->target_env || shader->format != AMBER_GLSL;
}

/* Drops the message of an attempt. */
static void forget(const HnMaker *maker) {
  free(*maker->message);
  *maker->message = NULL;
  *maker->outcome = HN_FAIL;
}

/* Translates GLSL to the lowest version to which it compiles. A case without TARGET_ENV does not
 * say which version it needs, since programs that use google/amber choose one. If no version will
 * do, the message is that of the last attempt, because older versions complain about what only they
 * lack. */
static bool make_lowest(const HnMaker *maker) {
  bool made = false, newer = true;
  for (size_t i = 0; !made && newer && i < COMPILE_PLAIN_TARGETS; i++) {
    HnMaker attempt = *maker;
    forget(maker);
    attempt.target = &compile_targets[i];
    made = make(&attempt, &newer);
  }
  return made;
}

/* ---- all of a script ------------------------------------------------------------------------- */

/* For each shader: does a pipeline attach it? NULL: out of memory. */
static bool *attached_shaders(const AmberScript *script) {
  bool *attached = calloc(script->shader_count + 1u, sizeof *attached);
  for (uint32_t p = 0; attached && p < script->pipeline_count; p++)
    for (uint32_t i = 0; i < script->pipelines[p].shader_count; i++)
      attached[script->pipelines[p].shaders[i].shader] = true;
  return attached;
}

static bool make_attached(const HnMaker *all, const bool *attached, HnModule *modules) {
  const AmberScript *script = all->script;
  bool good = true, ignored;
  for (uint32_t i = 0; good && i < script->shader_count; i++) {
    if (!attached[i])
      continue;
    HnMaker maker = *all;
    maker.shader = &script->shaders[i];
    maker.module = &modules[i];
    maker.target = hn_target_of(maker.shader);
    good = has_version(maker.shader) ? make(&maker, &ignored) : make_lowest(&maker);
  }
  return good;
}

static HnOutcome make_all(const AmberScript *script, bool source, HnModule **modules,
                          char **message) {
  HnOutcome outcome = HN_FAIL;
  const HnMaker all = {.script = script, .message = message, .outcome = &outcome, .source = source};
  bool *attached = attached_shaders(script);
  *message = NULL;
  *modules = calloc(script->shader_count + 1u, sizeof **modules);
  bool good = attached && *modules && make_attached(&all, attached, *modules);
  free(attached);
  if (good)
    return HN_PASS;
  if (!*message)
    *message = strdup("out of memory");
  hn_shaders_free(*modules, script->shader_count);
  *modules = NULL;
  return outcome;
}

HnOutcome hn_shaders_make(const AmberScript *script, HnModule **modules, char **message) {
  return make_all(script, false, modules, message);
}

HnOutcome hn_shaders_make_with_source(const AmberScript *script, HnModule **modules,
                                      char **message) {
  return make_all(script, true, modules, message);
}

void hn_shaders_free(HnModule *modules, size_t count) {
  for (size_t i = 0; modules && i < count; i++)
    free((void *)modules[i].words);
  free(modules);
}
