/* SPDX-License-Identifier: Apache-2.0 */
/* result: the result of converting a module. */
#ifndef LY_RESULT_H
#define LY_RESULT_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef enum LyKind {
  LY_SAME,    /* no change */
  LY_CHANGED, /* `words` replace the module */
  LY_FAILED,  /* `message` says why; the original is used */
} LyKind;

typedef struct LyResult {
  LyKind kind;
  const uint32_t *words;
  size_t bytes; /* of the words */
  const char *message;
  void *memory; /* malloc'd, holds the words or the message; or NULL */
} LyResult;

static inline void ly_result_clear(LyResult *result) {
  free(result->memory);
  *result = (LyResult){0};
}

#endif
