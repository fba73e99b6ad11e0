/* SPDX-License-Identifier: Apache-2.0 */
/* expects: see expects.h. */
#include "harness/artifacts/expects.h"

#include <stdio.h>

static bool is_expect(const AmberScript *script, uint32_t at) {
  return at < script->command_count && script->commands[at].kind == AMBER_EXPECT;
}

/* The command EXPECT at the line; AMBER_NONE: there is none. */
static uint32_t find_line(const AmberScript *script, unsigned line) {
  for (uint32_t i = 0; i < script->command_count; i++)
    if (is_expect(script, i) && script->commands[i].line == line)
      return i;
  return AMBER_NONE;
}

static bool is_repeated(const AmberScript *script, uint32_t at) {
  for (uint32_t i = 0; i < at; i++)
    if (script->commands[i].kind == AMBER_REPEAT && at - i <= script->commands[i].repeat.length)
      return true;
  return false;
}

bool hn_expects_find(const AmberScript *script, const char *message, uint32_t *first,
                     uint32_t *end) {
  unsigned line;
  if (!message || sscanf(message, "line %u:", &line) != 1)
    return false;
  uint32_t at = find_line(script, line);
  if (at == AMBER_NONE || is_repeated(script, at))
    return false;
  *first = at;
  *end = at + 1;
  while (*first && is_expect(script, *first - 1))
    --*first;
  while (is_expect(script, *end))
    ++*end;
  return true;
}
