/* SPDX-License-Identifier: Apache-2.0 */
/* arena: bump allocation; an arena has one owner and is freed as a whole.
 *
 * Everything the library allocates is in an arena: the module's, an analysis's own, or a scratch
 * arena with mark and reset. Nothing is freed one by one.
 *
 * When memory runs out, the sr_alloc_… functions do not return NULL: they jump to the
 * `out_of_memory` point of the arena's heap, where the API entry frees all arenas and reports the
 * status. So the algorithms need no error paths for memory, and the API entry's path can be
 * tested. */
#ifndef SR_ARENA_H
#define SR_ARENA_H

#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#define SR_NONE UINT32_MAX

/* Where memory comes from. `resize` works like realloc, and frees if new_size is 0; NULL: the C
 * library's functions are used. */
typedef struct SrHeap {
  void *(*resize)(void *user, void *old, size_t old_size, size_t new_size);
  void *user;
  struct SrChunk *chunks; /* all live chunks of all arenas of this heap */
  jmp_buf out_of_memory;  /* set by the API entry before the first allocation */
  size_t bytes, peak;     /* allocated now, and the maximum so far; for tests */
} SrHeap;

typedef struct SrArena {
  SrHeap *heap;
  struct SrChunk *chunk; /* the newest chunk of this arena */
} SrArena;

typedef struct SrMark {
  size_t chunk, used; /* the newest chunk's number (0: no chunk), bytes used in it */
} SrMark;

void sr_heap_init(SrHeap *heap);
/* Frees every chunk that any arena of this heap still holds. */
void sr_heap_free_all(SrHeap *heap);

SrArena sr_arena_new(SrHeap *heap);
void sr_arena_free(SrArena *arena);
/* sr_arena_reset frees what was allocated since the mark. */
SrMark sr_arena_mark(const SrArena *arena);
void sr_arena_reset(SrArena *arena, SrMark mark);

/* Zeroed memory for `count` elements of `size` bytes each, aligned for any type. */
void *sr_alloc_zero(SrArena *arena, size_t count, size_t size);
/* The same, not zeroed. */
void *sr_alloc_raw(SrArena *arena, size_t count, size_t size);
/* An array of `old_count` elements extended to `count`; the new ones are not zeroed. An array
 * larger than a chunk grows in place; otherwise the old memory is freed with the arena. */
void *sr_alloc_more(SrArena *arena, void *old, size_t old_count, size_t count, size_t size);
/* A copy of `count` bytes, with a terminating 0. */
char *sr_strndup(SrArena *arena, const char *text, size_t count);

#define SR_NEW(arena, T, count) ((T *)sr_alloc_zero((arena), (count), sizeof(T)))
#define SR_NEW_RAW(arena, T, count) ((T *)sr_alloc_raw((arena), (count), sizeof(T)))
/* An array of uint32_t filled with SR_NONE. */
uint32_t *sr_new_none(SrArena *arena, size_t count);

#endif
