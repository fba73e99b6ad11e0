/* SPDX-License-Identifier: Apache-2.0 */
/* assembly: see assembly.h. */
#include "passes/assembly/assembly.h"

#include <stdio.h>
#include <string.h>

enum { VERSIONS = 7 };

/* ---- the version that the text states -------------------------------------------------------- */

static const char *skip_blanks(const char *p, const char *end) {
  while (p < end && (*p == ' ' || *p == '\t' || *p == '\r'))
    p++;
  return p;
}

/* Is the comment, without its semicolon, `Version: 1.N`? */
static bool states_version(const char *p, const char *end, uint32_t *minor) {
  static const char key[] = "Version:", major[] = "1.";
  size_t key_length = sizeof key - 1, major_length = sizeof major - 1;
  p = skip_blanks(p, end);
  if ((size_t)(end - p) < key_length || memcmp(p, key, key_length) != 0)
    return false;
  p = skip_blanks(p + key_length, end);
  if ((size_t)(end - p) <= major_length || memcmp(p, major, major_length) != 0)
    return false;
  uint32_t digit = (uint32_t)(p[major_length] - '0');
  *minor = digit;
  return digit < VERSIONS;
}

bool sr_assembly_version(const char *text, size_t size, uint32_t *minor) {
  const char *p = text, *end = text + size;
  while (p < end) {
    const char *line_end = memchr(p, '\n', (size_t)(end - p));
    line_end = line_end ? line_end : end;
    p = skip_blanks(p, line_end);
    if (p < line_end && *p != ';')
      return false;
    if (p < line_end && states_version(p + 1, line_end, minor))
      return true;
    p = line_end + 1;
  }
  return false;
}

spv_target_env sr_assembly_env(uint32_t minor) {
  static const spv_target_env envs[VERSIONS] = {
      SPV_ENV_UNIVERSAL_1_0, SPV_ENV_UNIVERSAL_1_1, SPV_ENV_UNIVERSAL_1_2, SPV_ENV_UNIVERSAL_1_3,
      SPV_ENV_UNIVERSAL_1_4, SPV_ENV_UNIVERSAL_1_5, SPV_ENV_UNIVERSAL_1_6};
  return envs[minor < VERSIONS ? minor : VERSIONS - 1];
}

/* ---- assembling ------------------------------------------------------------------------------ */

/* The error quotes the text, which may be any bytes: they must not reach a terminal. */
static void make_printable(char *error) {
  for (; *error; error++)
    if (*error < ' ' || *error > '~')
      *error = '?';
}

SrAssembly sr_assembly_make(spv_target_env env, const char *text, size_t size) {
  SrAssembly a = {.line = 1, .column = 1};
  spv_context context = spvContextCreate(env);
  spv_diagnostic d = NULL;
  if (!context)
    return a;
  if (spvTextToBinaryWithOptions(context, text, size,
                                 SPV_TEXT_TO_BINARY_OPTION_PRESERVE_NUMERIC_IDS, &a.binary,
                                 &d) != SPV_SUCCESS) {
    const char *error = d && d->error ? d->error : "not SPIR-V assembly";
    snprintf(a.error, sizeof a.error, "%.*s", (int)strcspn(error, "\r\n"), error);
    make_printable(a.error);
    a.line = d ? d->position.line + 1 : 1;
    a.column = d ? d->position.column + 1 : 1;
  }
  spvDiagnosticDestroy(d);
  spvContextDestroy(context);
  return a;
}

void sr_assembly_free(SrAssembly *assembly) {
  spvBinaryDestroy(assembly->binary);
  assembly->binary = NULL;
}

/* ---- the lowest version ---------------------------------------------------------------------- */

bool sr_assembly_lowest(const char *text, size_t size, SrFitFn *fit, void *user,
                        spv_target_env *env) {
  SrFit best = SR_FIT_WRONG;
  *env = sr_assembly_env(VERSIONS - 1);
  for (uint32_t minor = 0; minor < VERSIONS && best < SR_FIT_GOOD; minor++) {
    SrAssembly a = sr_assembly_make(sr_assembly_env(minor), text, size);
    SrFit this = a.binary ? fit(user, a.binary->code, a.binary->wordCount) : SR_FIT_WRONG;
    sr_assembly_free(&a);
    if (this == SR_FIT_NO_MEMORY)
      return false;
    if (this > best)
      *env = sr_assembly_env(minor);
    best = this > best ? this : best;
  }
  return true;
}
