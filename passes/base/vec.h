/* SPDX-License-Identifier: Apache-2.0 */
/* vec: growable arrays of plain structs, in an arena.
 *
 *   SR_VEC(uint32_t) work = {0};
 *   SR_PUSH(arena, &work, 7);   work.at[i], work.count
 *   x = SR_POP(&work);
 *
 * A small array that grows is copied to a new place in the arena (the old one is freed with the
 * arena); a large one grows in place. */
#ifndef SR_VEC_H
#define SR_VEC_H

#include "passes/base/arena.h"
#include <string.h>

#define SR_VEC(T)                                                                                  \
  struct {                                                                                         \
    T *at;                                                                                         \
    uint32_t count, room;                                                                          \
  }

void *sr_vec_grow(SrArena *arena, void *old, uint32_t *room, uint32_t need, size_t size);

/* Makes room for `more` elements after the last one. */
#define SR_RESERVE(arena, vec, more)                                                               \
  ((vec)->count + (more) <= (vec)->room                                                            \
       ? (void)0                                                                                   \
       : (void)((vec)->at = sr_vec_grow((arena), (vec)->at, &(vec)->room,                          \
                                        (vec)->count + (uint32_t)(more), sizeof *(vec)->at)))
#define SR_PUSH(arena, vec, ...)                                                                   \
  (SR_RESERVE((arena), (vec), 1), (void)((vec)->at[(vec)->count++] = (__VA_ARGS__)))
#define SR_POP(vec) ((vec)->at[--(vec)->count])
#define SR_LAST(vec) ((vec)->at[(vec)->count - 1])

#endif
