/* SPDX-License-Identifier: Apache-2.0 */
/* shader_maker: see shader_maker.h. */
#include "harness/shader/shader_maker.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const CompileTarget *hn_target_of(const AmberShader *shader) {
  const CompileTarget *target = shader->target_env ? compile_target_find(shader->target_env) : NULL;
  return target ? target : &compile_targets[0];
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
