/* SPDX-License-Identifier: Apache-2.0 */
/* layer_result: the result of converting a module. */
#ifndef LY_LAYER_RESULT_H
#define LY_LAYER_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef enum LyKind {
  LY_SAME,    /* no change */
  LY_CHANGED, /* `words` replace the module */
  LY_FAILED,  /* `message` says why; the original is used */
} LyKind;

/* Why a module is refused; the line at exit has a count for each reason (names in
 * layer_stats.c). */
typedef enum LyReason {
  LY_INVALID,      /* the library does not accept the module */
  LY_UNSTRUCTURED, /* the transforms leave no structure */
  LY_REJECTED,     /* a check of the result failed */
  LY_TIME,         /* the time limit was exceeded */
  LY_MEMORY,       /* the memory limit was exceeded */
  LY_EXHAUSTED,    /* out of memory */
  LY_REASONS,
} LyReason;

typedef struct LyResult {
  LyKind kind;
  LyReason reason; /* of LY_FAILED */
  bool repaired;   /* of LY_CHANGED: the original breaks rules of control flow */
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
