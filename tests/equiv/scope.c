/* SPDX-License-Identifier: Apache-2.0 */
/* scope: see scope.h. */
#include "tests/equiv/scope.h"

#include "tests/equiv/gen/emit.h"
#include "tests/equiv/gen/opcode.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = 5 };

static uint32_t *numbers(uint32_t count) {
  uint32_t *n = emit_resize(NULL, count * sizeof *n);
  memset(n, 0, count * sizeof *n);
  return n;
}

static bool is_constant(uint32_t op) {
  return op == SpvOpConstant || op == SpvOpConstantTrue || op == SpvOpConstantFalse;
}

/* Notes the values of a function up to its end; returns the word where that begins. */
static size_t read_function(Scope *s, size_t at) {
  const uint32_t *w = s->words;
  uint32_t label = 0, entry = 0;
  for (size_t k = at; !entry; k += w[k] >> 16)
    if ((w[k] & 0xffff) == SpvOpLabel)
      label = entry = w[k + 1];
  for (; (w[at] & 0xffff) != SpvOpFunctionEnd; at += w[at] >> 16) {
    uint32_t op = w[at] & 0xffff;
    if (op == SpvOpLabel) {
      label = w[at + 1];
      s->entry[label] = entry;
    } else if (op != SpvOpFunction && opcode_has_result(op)) {
      s->type[w[at + 2]] = w[at + 1];
      s->block[w[at + 2]] = label;
      s->at[w[at + 2]] = (uint32_t)at;
    }
  }
  return at;
}

void scope_find(const uint32_t *words, size_t count, Scope *s) {
  uint32_t bound = words[3];
  *s = (Scope){words, bound, numbers(bound), numbers(bound), numbers(bound), numbers(bound)};
  for (size_t at = HEADER; at < count; at += words[at] >> 16) {
    uint32_t op = words[at] & 0xffff;
    if (op == SpvOpFunction) {
      at = read_function(s, at);
    } else if (is_constant(op)) {
      s->type[words[at + 2]] = words[at + 1];
      s->at[words[at + 2]] = (uint32_t)at;
    }
  }
}

void scope_free(Scope *s) {
  free(s->type);
  free(s->block);
  free(s->at);
  free(s->entry);
}

static bool is_in_scope(const Scope *s, uint32_t id, uint32_t label, size_t use) {
  return s->block[id] == 0 || s->block[id] == s->entry[label] ||
         (s->block[id] == label && s->at[id] < use);
}

/* Draws one of the ids; every id that fits replaces the one before with the same probability. */
uint32_t scope_other(const Scope *s, uint32_t id, uint32_t label, size_t use, Rng *rng) {
  uint32_t found = 0, count = 0;
  for (uint32_t k = 1; k < s->bound; k++)
    if (k != id && s->type[k] && s->type[k] == s->type[id] && is_in_scope(s, k, label, use) &&
        rng_below(rng, ++count) == 0)
      found = k;
  return found;
}

uint32_t scope_other_constant(const Scope *s, uint32_t id, Rng *rng) {
  uint32_t found = 0, count = 0;
  for (uint32_t k = 1; k < s->bound && s->type[id] && s->block[id] == 0; k++)
    if (k != id && s->block[k] == 0 && s->type[k] == s->type[id] && rng_below(rng, ++count) == 0)
      found = k;
  return found;
}
