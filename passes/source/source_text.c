/* SPDX-License-Identifier: Apache-2.0 */
/* source_text: see source_text.h.
 *
 * The assembler keeps the order of instructions, so the Nth instruction of the binary is the Nth
 * instruction of the text. In the text, an instruction's name is a word that begins with "Op" and a
 * capital letter; no other word does, except in comments and strings. (Operands are like OptNone
 * and OpenCL_C.) */
#include "passes/source/source_text.h"

#include "passes/base/text.h"
#include "passes/ir/parse.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The instruction at the word, from 0; SR_NONE: none begins there. */
static uint32_t number_of(const uint32_t *words, size_t count, uint32_t word) {
  uint32_t number = 0;
  size_t at = SR_HEADER_WORDS;
  for (; at < count && at < word && words[at] >> 16; at += words[at] >> 16)
    number++;
  return at == word && at < count ? number : SR_NONE;
}

static bool is_name(const char *p, const char *end) {
  return end - p > 2 && p[0] == 'O' && p[1] == 'p' && isupper((unsigned char)p[2]);
}

/* The end of a comment, a string, blanks or a word. */
static const char *skip(const char *p, const char *end) {
  if (*p == ';') {
    while (p < end && *p != '\n')
      p++;
    return p;
  }
  if (*p == '"') {
    for (p++; p < end && *p != '"'; p++)
      p += *p == '\\' && p + 1 < end;
    return p < end ? p + 1 : end;
  }
  if (isspace((unsigned char)*p))
    return p + 1;
  while (p < end && !isspace((unsigned char)*p) && *p != ';' && *p != '"')
    p++;
  return p;
}

uint32_t sr_source_text_line(const SrSourceText *s, uint32_t word) {
  uint32_t left = number_of(s->words, s->count, word), line = 1;
  const char *end = s->text + s->size;
  if (left == SR_NONE)
    return 0;
  for (const char *p = s->text, *next; p < end; p = next) {
    if (is_name(p, end) && left-- == 0)
      return line;
    next = skip(p, end);
    for (; p < next; p++)
      line += *p == '\n';
  }
  return 0;
}

/* Is the word the name of an id, not its number? */
static bool is_id_name(const char *p, const char *end) {
  bool number = true;
  for (const char *q = p + 1; q < end; q++)
    number = number && isdigit((unsigned char)*q);
  return *p == '%' && !number;
}

const char **sr_source_text_names(SrArena *arena, const SrSourceText *s, const SrModule *m) {
  const char **names = SR_NEW(arena, const char *, sr_bound(m));
  const char *end = s->text + s->size, *named = NULL, *named_end = NULL; /* the last id */
  SrRef r = 0;
  for (const char *p = s->text, *next; p < end && r < m->inst.count; p = next) {
    next = skip(p, end);
    if (*p == '%') {
      named = p;
      named_end = next;
    } else if (is_name(p, end)) {
      uint32_t id = sr_inst(m, r++)->result;
      if (id && named && is_id_name(named, named_end))
        names[id] = sr_strndup(arena, named + 1, (size_t)(named_end - named - 1));
      named = NULL;
    }
  }
  return names;
}

static const char WORD[] = " (word ";

/* The last " (word " of a message. */
static char *last_place(char *message) {
  char *found = NULL;
  for (char *p = message; (p = strstr(p, WORD)); p++)
    found = p;
  return found;
}

void sr_source_text_place(const SrSourceText *s, char *message, size_t room) {
  char *place = last_place(message), rest[256];
  char *end;
  if (!place)
    return;
  unsigned long long word = strtoull(place + strlen(WORD), &end, 10);
  uint32_t line = word < UINT32_MAX ? sr_source_text_line(s, (uint32_t)word) : 0;
  if (!line)
    return;
  snprintf(rest, sizeof rest, "%s", end);
  snprintf(place, room - (size_t)(place - message), " (line %u%s", line, rest);
}
