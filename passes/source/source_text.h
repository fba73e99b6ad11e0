/* SPDX-License-Identifier: Apache-2.0 */
/* source_text: messages about a module that was assembled from text name the text's lines. */
#ifndef SR_SOURCE_TEXT_H
#define SR_SOURCE_TEXT_H

#include "passes/ir/module.h"

#include <stddef.h>
#include <stdint.h>

typedef struct SrSourceText {
  const char *text;
  size_t size;           /* in bytes */
  const uint32_t *words; /* what the assembler made of it */
  size_t count;
} SrSourceText;

/* The line, from 1, of the instruction that begins at that word; 0: no line of the text is that
 * word's, as in the header. */
uint32_t sr_source_text_line(const SrSourceText *s, uint32_t word);
/* By id: the name that the text gives to the result of an instruction of the module, without its %;
 * NULL: a number, or none. `m` must have been read from the words, and not changed since. */
const char **sr_source_text_names(SrArena *arena, const SrSourceText *s, const SrModule *m);
/* Replaces the word by the line in a message that ends in a place: "… (word 412, main.comp:11)"
 * becomes "… (line 97, main.comp:11)". `room`: the size of `message`. */
void sr_source_text_place(const SrSourceText *s, char *message, size_t room);

#endif
