/* SPDX-License-Identifier: Apache-2.0 */
/* words: modules for the layer's tests. */
#ifndef WORDS_H
#define WORDS_H

#include <stddef.h>
#include <stdint.h>

typedef struct Words {
  uint32_t *at; /* to be freed */
  size_t bytes;
} Words;

#define WORDS_UNSTRUCTURED "shaders/irreducible/two_entries.spvasm"
#define WORDS_REFUSED "tests/bad/not_dominated.spvasm"

/* Assembles a file of this repository, without validation; the test fails if that fails. */
Words words_of(const char *path);
Words words_of_text(const char *text);
/* The same after `structurize`. */
Words words_structurized(const char *path);

#endif
