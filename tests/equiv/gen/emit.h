/* SPDX-License-Identifier: Apache-2.0 */
/* emit: writes SPIR-V words, nothing else. The property tests build their modules with it, so that
 * an error in the project's own writer cannot go unnoticed. */
#ifndef EQUIV_EMIT_H
#define EQUIV_EMIT_H

#include <stddef.h>
#include <stdint.h>

typedef struct EmitWords {
  uint32_t *data;
  size_t count, capacity;
} EmitWords;

/* A module's sections in the order of the specification. */
typedef enum EmitSection {
  EMIT_CAPABILITY,
  EMIT_MODEL,
  EMIT_ENTRY,
  EMIT_MODE,
  EMIT_DEBUG,
  EMIT_ANNOTATION,
  EMIT_GLOBAL,
  EMIT_FUNCTION,
  EMIT_SECTIONS
} EmitSection;

typedef struct EmitModule {
  EmitWords section[EMIT_SECTIONS];
  uint32_t bound, version;
} EmitModule;

/* Like realloc, but ends the process when out of memory. */
void *emit_resize(void *old, size_t size);

void emit_begin(EmitModule *m, uint32_t version);
uint32_t emit_id(EmitModule *m);
void emit_word(EmitWords *w, uint32_t word);
void emit_append(EmitWords *w, const uint32_t *words, size_t count);
void emit_op(EmitWords *w, uint32_t opcode, size_t count, const uint32_t *operands);
/* One instruction: `count` operands, then a string, then `extra_count` more operands. */
void emit_string_op(EmitWords *w, uint32_t opcode, size_t count, const uint32_t *operands,
                    const char *string, size_t extra_count, const uint32_t *extra);
/* Header and sections joined; frees the sections. */
EmitWords emit_end(EmitModule *m);

#define EMIT(words, opcode, ...)                                                                   \
  emit_op((words), (opcode), sizeof((uint32_t[]){__VA_ARGS__}) / sizeof(uint32_t),                 \
          (uint32_t[]){__VA_ARGS__})

#endif
