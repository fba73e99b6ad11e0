/* SPDX-License-Identifier: Apache-2.0 */
/* shader_spirv: SPIR-V as text, as hexadecimal numbers or as bytes. */
#include "harness/shader/shader_maker.h"
#include "passes/assembly/assembly.h"
#include "passes/base/compiler.h"

#include <spvreconv/spvreconv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MAGIC 0x07230203u

/* ---- SPIR-V ---------------------------------------------------------------------------------- */

/* Does SPIRV-Tools know the extension? Its validator warns if not. */
static bool known_extension(const char *name) {
  char *text;
  if (asprintf(&text,
               "OpCapability Shader\nOpCapability Linkage\nOpExtension \"%s\"\n"
               "OpMemoryModel Logical GLSL450\n",
               name) < 0)
    return true;
  spv_context context = spvContextCreate(SPV_ENV_UNIVERSAL_1_6);
  spv_binary binary = NULL;
  spv_diagnostic diagnostic = NULL;
  if (spvTextToBinary(context, text, strlen(text), &binary, NULL) == SPV_SUCCESS) {
    spv_const_binary_t words = {binary->code, binary->wordCount};
    spvValidate(context, &words, &diagnostic);
  }
  bool known = !diagnostic;
  spvDiagnosticDestroy(diagnostic);
  spvBinaryDestroy(binary);
  spvContextDestroy(context);
  free(text);
  return known;
}

/* The first extension that the text declares and SPIRV-Tools does not know. */
static bool unknown_extension(const char *text, char *name, size_t size) {
  static const char begin[] = "OpExtension \"";
  for (const char *at = text; (at = strstr(at, begin));) {
    at += strlen(begin);
    size_t length = strcspn(at, "\"\n");
    snprintf(name, size, "%.*s", (int)(length < size ? length : size - 1), at);
    if (!known_extension(name))
      return true;
  }
  return false;
}

/* An instruction or a word of an extension that is newer than SPIRV-Tools is not the case's
 * fault. */
static bool refuse(const HnMaker *maker, const char *text, const SrAssembly *refused) {
  char name[100];
  if (unknown_extension(text, name, sizeof name))
    return hn_maker_skip(maker, "the installed SPIRV-Tools does not know the extension %s", name);
  return hn_maker_fail(maker, (unsigned)refused->line, "%s",
                       *refused->error ? refused->error : "out of memory");
}

static bool assemble(const HnMaker *maker, spv_target_env env, const char *text, size_t size) {
  SrAssembly a = sr_assembly_make(env, text, size);
  bool made = a.binary ? hn_maker_keep(maker, a.binary->code, a.binary->wordCount)
                       : refuse(maker, text, &a);
  sr_assembly_free(&a);
  return made;
}

/* A script without TARGET_ENV does not say which version the text has, so it is read as the
 * commands read a file. */
static bool read_text(const HnMaker *maker, const char *text, size_t size) {
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  options.transform = "none";
  options.validate = SPVRECONV_VALIDATE_NONE;
  spvreconv_result *result;
  size_t count;
  spvreconv_status status = spvreconv_run_text(&options, text, size, &result);
  const uint32_t *words = spvreconv_result_words(result, &count);
  bool made = status == SPVRECONV_OK ? hn_maker_keep(maker, words, count)
                                     : assemble(maker, SPV_ENV_UNIVERSAL_1_6, text, size);
  spvreconv_result_destroy(result);
  return made;
}

/* Keeps bytes in either order as words in the host's order. */
static bool keep_bytes(const HnMaker *maker, const uint8_t *bytes, size_t size) {
  if (size < 20 || size % 4)
    return hn_maker_fail(
        maker, 0,
        "%zu bytes are not a SPIR-V module: it has words of four, and five or more of them", size);
  uint32_t *words = malloc(size);
  if (!words)
    return hn_maker_fail(maker, 0, "out of memory");
  memcpy(words, bytes, size);
  if (words[0] == sr_swap_bytes(MAGIC))
    for (size_t i = 0; i < size / 4; i++)
      words[i] = sr_swap_bytes(words[i]);
  *maker->module = (HnModule){.words = words, .count = size / 4};
  return words[0] == MAGIC ||
         hn_maker_fail(maker, 0, "it is not a SPIR-V module: its first word is not 0x07230203");
}

/* Reads numbers separated by blanks. If the first number is a byte, all are bytes; otherwise all
 * are words. */
bool hn_maker_hex(const HnMaker *maker) {
  const char *at = maker->shader->source;
  /* A word has at least two characters. */
  uint8_t *bytes = malloc(2 * maker->shader->source_size + 4);
  if (!bytes)
    return hn_maker_fail(maker, 0, "out of memory");
  size_t size = 0, width = 0;
  bool good = true;
  unsigned line = 1;
  while (good) {
    for (; *at && strchr(" \t\r\n,", *at); at++)
      line += *at == '\n';
    if (!*at)
      break;
    char *end;
    unsigned long number = strtoul(at, &end, 16);
    width = width ? width : number > 255 ? 4 : 1;
    uint32_t word = (uint32_t)number;
    good = (end > at && number >> (8 * width) == 0 && *at != '-' && *at != '+') ||
           hn_maker_fail(maker, line, "there is no hexadecimal number of %zu byte(s) at '%.16s'",
                         width, at);
    if (good)
      memcpy(bytes + size, &word, width);
    size += width;
    at = end;
  }
  good = good && keep_bytes(maker, bytes, size);
  free(bytes);
  return good;
}

static const char passthrough[] = "OpCapability Shader\n"
                                  "OpMemoryModel Logical GLSL450\n"
                                  "OpEntryPoint Vertex %main \"main\" %in %out\n"
                                  "OpDecorate %in Location 0\n"
                                  "OpDecorate %out BuiltIn Position\n"
                                  "%void = OpTypeVoid\n"
                                  "%type = OpTypeFunction %void\n"
                                  "%float = OpTypeFloat 32\n"
                                  "%vec4 = OpTypeVector %float 4\n"
                                  "%pin = OpTypePointer Input %vec4\n"
                                  "%pout = OpTypePointer Output %vec4\n"
                                  "%in = OpVariable %pin Input\n"
                                  "%out = OpVariable %pout Output\n"
                                  "%main = OpFunction %void None %type\n"
                                  "%entry = OpLabel\n"
                                  "%value = OpLoad %vec4 %in\n"
                                  "OpStore %out %value\n"
                                  "OpReturn\n"
                                  "OpFunctionEnd\n";

bool hn_maker_assembly(const HnMaker *maker) {
  const char *text = maker->shader->source;
  size_t size = maker->shader->source_size;
  return maker->shader->target_env ? assemble(maker, maker->target->env, text, size)
                                   : read_text(maker, text, size);
}

bool hn_maker_passthrough(const HnMaker *maker) {
  return assemble(maker, maker->target->env, passthrough, sizeof passthrough - 1);
}

bool hn_maker_binary(const HnMaker *maker) {
  return keep_bytes(maker, (const uint8_t *)maker->shader->source, maker->shader->source_size);
}
