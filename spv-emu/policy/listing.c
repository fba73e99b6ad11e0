/* SPDX-License-Identifier: Apache-2.0 */
/* listing: see listing.h. */
#include "spv-emu/policy/listing.h"

#include <stdlib.h>

static void index_blocks(EmuListing *l) {
  for (uint32_t b = 0; b < l->table->count; b++)
    if (l->ids <= l->table->id[b])
      l->ids = l->table->id[b] + 1;
  l->block_of = sr_new_none(l->scratch, l->ids);
  for (uint32_t b = l->table->count; b-- > 0;)
    l->block_of[l->table->id[b]] = b;
}

void emu_listing_open(EmuListing *l, SrArena *arena, SrArena *scratch, const EmuBlockTable *table,
                      const char *name, const char *text, const char **why) {
  *l = (EmuListing){.arena = arena,
                    .scratch = scratch,
                    .table = table,
                    .name = name,
                    .next = text,
                    .at = "",
                    .why = why};
  *why = NULL;
  index_blocks(l);
}

bool emu_listing_fail_at(EmuListing *l, uint32_t line, const char *what) {
  if (*l->why)
    return false;
  SrText text = {.arena = l->arena};
  sr_text_add(&text, "%s, line %u: %s", l->name, line, what);
  *l->why = sr_text_end(&text);
  return false;
}

bool emu_listing_fail(EmuListing *l, const char *what) {
  return emu_listing_fail_at(l, l->line, what);
}

static bool is_blank(char c) {
  return c == ' ' || c == '\t' || c == '\r';
}

bool emu_listing_line(EmuListing *l) {
  while (*l->next) {
    size_t length = strcspn(l->next, "\n"), used = 0;
    char *line = SR_NEW(l->scratch, char, length + 1);
    for (size_t i = 0; i < length && l->next[i] != ';'; i++)
      if (!is_blank(l->next[i]))
        line[used++] = l->next[i];
      else if (used && line[used - 1] != ' ')
        line[used++] = ' ';
    used -= used && line[used - 1] == ' ';
    line[used] = 0;
    l->next += length + (l->next[length] == '\n');
    l->line++;
    l->at = line;
    if (used)
      return true;
  }
  return false;
}

void emu_listing_blank(EmuListing *l) {
  l->at += *l->at == ' ';
}

bool emu_listing_take(EmuListing *l, const char *word) {
  size_t length = strlen(word);
  if (strncmp(l->at, word, length) != 0)
    return false;
  l->at += length;
  emu_listing_blank(l);
  return true;
}

bool emu_listing_number(EmuListing *l, uint32_t most, uint32_t *value) {
  char *end;
  unsigned long long n = *l->at >= '0' && *l->at <= '9' ? strtoull(l->at, &end, 10) : ~0ULL;
  if (n > most)
    return emu_listing_fail(l, "a number is missing or too large");
  *value = (uint32_t)n;
  l->at = end;
  return true;
}

bool emu_listing_block(EmuListing *l, uint32_t *to) {
  uint32_t id, part = 0;
  if (!emu_listing_take(l, "%"))
    return emu_listing_fail(l, "a block is missing, such as %12");
  if (!emu_listing_number(l, SR_NONE - 1, &id) ||
      (*l->at == '+' && (l->at++, !emu_listing_number(l, SR_NONE - 1, &part))))
    return false;
  emu_listing_blank(l);
  uint32_t first = id < l->ids ? l->block_of[id] : SR_NONE;
  if (first == SR_NONE || part >= l->table->count - first || l->table->id[first + part] != id)
    return emu_listing_fail(l, "the program has no such block");
  *to = first + part;
  return true;
}
