/* SPDX-License-Identifier: Apache-2.0 */
/* emit: growing word buffers, one per section of the module. */
#include "tests/equiv/gen/emit.h"

#include <spirv/unified1/spirv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void *emit_resize(void *old, size_t size) {
  void *p = realloc(old, size ? size : 1);
  if (!p) {
    fputs("out of memory\n", stderr);
    abort();
  }
  return p;
}

void emit_begin(EmitModule *m, uint32_t version) {
  memset(m, 0, sizeof *m);
  m->bound = 1;
  m->version = version;
}

uint32_t emit_id(EmitModule *m) {
  return m->bound++;
}

static uint32_t *reserve(EmitWords *w, size_t count) {
  if (w->count + count > w->capacity) {
    w->capacity = (w->count + count) * 2 + 16;
    w->data = emit_resize(w->data, w->capacity * sizeof *w->data);
  }
  uint32_t *at = w->data + w->count;
  w->count += count;
  return at;
}

void emit_word(EmitWords *w, uint32_t word) {
  *reserve(w, 1) = word;
}

void emit_append(EmitWords *w, const uint32_t *words, size_t count) {
  uint32_t *at = reserve(w, count);
  if (count)
    memcpy(at, words, count * sizeof *words);
}

void emit_op(EmitWords *w, uint32_t opcode, size_t count, const uint32_t *operands) {
  emit_word(w, (uint32_t)(count + 1) << 16 | opcode);
  emit_append(w, operands, count);
}

void emit_string_op(EmitWords *w, uint32_t opcode, size_t count, const uint32_t *operands,
                    const char *string, size_t extra_count, const uint32_t *extra) {
  size_t length = strlen(string) / 4 + 1;
  emit_word(w, (uint32_t)(1 + count + length + extra_count) << 16 | opcode);
  emit_append(w, operands, count);
  for (size_t i = 0; i < length; i++) {
    uint32_t word = 0;
    for (unsigned k = 0; k < 4 && *string; k++)
      word |= (uint32_t)(unsigned char)*string++ << 8 * k;
    emit_word(w, word);
  }
  emit_append(w, extra, extra_count);
}

EmitWords emit_end(EmitModule *m) {
  EmitWords out = {0};
  const uint32_t header[5] = {SpvMagicNumber, m->version, 0, m->bound, 0};
  emit_append(&out, header, 5);
  for (int s = 0; s < EMIT_SECTIONS; s++) {
    emit_append(&out, m->section[s].data, m->section[s].count);
    free(m->section[s].data);
  }
  return out;
}
