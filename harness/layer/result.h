/* result: what became of a module. */
#ifndef LY_RESULT_H
#define LY_RESULT_H

#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

typedef enum LyKind {
  LY_SAME,    /* nothing to change */
  LY_CHANGED, /* `words` take its place */
  LY_FAILED,  /* `message` says why; the original stays */
} LyKind;

typedef struct LyResult {
  LyKind kind;
  const uint32_t *words;
  size_t bytes; /* of the words */
  const char *message;
  void *memory; /* of malloc's, that the words or the message stand in, or NULL */
} LyResult;

static inline void ly_result_clear(LyResult *result) {
  free(result->memory);
  *result = (LyResult){0};
}

#endif
