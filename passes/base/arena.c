/* SPDX-License-Identifier: Apache-2.0 */
/* arena: see arena.h. Chunks double in size up to 1 MB; a larger request gets a chunk of its own,
 * which can grow. All chunks of a heap are in one list so that one call frees them all. */
#include "passes/base/arena.h"

#include "passes/base/poison.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CHUNK = 16 * 1024, LARGEST_CHUNK = 1024 * 1024 };

typedef struct SrChunk {
  struct SrChunk *prev, *next;   /* all chunks of the heap */
  struct SrChunk *below, *above; /* the next older and newer chunk of the same arena */
  size_t number;                 /* from 1, for the arena's oldest chunk */
  size_t room, used;
  max_align_t data[];
} SrChunk;

static void *c_resize(void *user, void *old, size_t old_size, size_t new_size) {
  (void)user;
  (void)old_size;
  if (new_size == 0) {
    free(old);
    return NULL;
  }
  return realloc(old, new_size);
}

void sr_heap_init(SrHeap *heap) {
  heap->chunks = NULL;
  heap->bytes = heap->peak = 0;
  if (!heap->resize)
    heap->resize = c_resize;
}

static void free_chunk(SrHeap *heap, SrChunk *c) {
  if (c->prev)
    c->prev->next = c->next;
  else
    heap->chunks = c->next;
  if (c->next)
    c->next->prev = c->prev;
  size_t size = sizeof *c + c->room;
  sr_unpoison(c->data, c->room);
  heap->bytes -= size;
  heap->resize(heap->user, c, size, 0);
}

void sr_heap_free_all(SrHeap *heap) {
  while (heap->chunks)
    free_chunk(heap, heap->chunks);
}

SrArena sr_arena_new(SrHeap *heap) {
  return (SrArena){.heap = heap, .chunk = NULL};
}

void sr_arena_free(SrArena *arena) {
  sr_arena_reset(arena, (SrMark){0, 0});
}

/* A mark stores the chunk's number, not its address: a chunk with a single array moves when it
 * grows. */
SrMark sr_arena_mark(const SrArena *arena) {
  const SrChunk *c = arena->chunk;
  return c ? (SrMark){c->number, c->used} : (SrMark){0, 0};
}

void sr_arena_reset(SrArena *arena, SrMark mark) {
  while (arena->chunk && arena->chunk->number > mark.chunk) {
    SrChunk *c = arena->chunk;
    arena->chunk = c->below;
    free_chunk(arena->heap, c);
  }
  if (!arena->chunk)
    return;
  arena->chunk->above = NULL;
  if (arena->chunk->room <= LARGEST_CHUNK) {
    SrChunk *c = arena->chunk;
    c->used = mark.used;
    sr_poison((char *)c->data + c->used, c->room - c->used);
  }
}

/* The chunk is new or has moved: updates everything that points to it. */
static void link_chunk(SrArena *arena, SrChunk *c) {
  *(c->prev ? &c->prev->next : &arena->heap->chunks) = c;
  if (c->next)
    c->next->prev = c;
  if (c->below)
    c->below->above = c;
  *(c->above ? &c->above->below : &arena->chunk) = c;
}

static void count_bytes(SrHeap *heap, size_t more) {
  heap->bytes += more;
  if (heap->bytes > heap->peak)
    heap->peak = heap->bytes;
}

static void push_chunk(SrArena *arena, size_t need) {
  SrHeap *heap = arena->heap;
  size_t room = arena->chunk ? 2 * arena->chunk->room : FIRST_CHUNK;
  if (room > LARGEST_CHUNK)
    room = LARGEST_CHUNK;
  if (room < need)
    room = need;
  SrChunk *c = heap->resize(heap->user, NULL, 0, sizeof *c + room);
  if (!c)
    longjmp(heap->out_of_memory, 1);
  count_bytes(heap, sizeof *c + room);
  SrChunk *below = arena->chunk;
  *c = (SrChunk){
      .next = heap->chunks, .below = below, .number = below ? below->number + 1 : 1, .room = room};
  sr_poison(c->data, room);
  link_chunk(arena, c);
}

static size_t rounded(SrArena *arena, size_t count, size_t size) {
  const size_t unit = sizeof(max_align_t);
  if (size && count > (SIZE_MAX / 4) / size)
    longjmp(arena->heap->out_of_memory, 1);
  return (count * size + unit - 1) / unit * unit;
}

void *sr_alloc_raw(SrArena *arena, size_t count, size_t size) {
  size_t need = rounded(arena, count, size);
  if (need + SR_RED_ZONE <= LARGEST_CHUNK)
    need += SR_RED_ZONE;
  SrChunk *c = arena->chunk;
  if (!c || need > LARGEST_CHUNK || c->room - c->used < need) {
    push_chunk(arena, need);
    c = arena->chunk;
  }
  char *p = (char *)c->data + c->used;
  c->used += need;
  sr_unpoison(p, count * size);
  return p;
}

void *sr_alloc_more(SrArena *arena, void *old, size_t old_count, size_t count, size_t size) {
  size_t had = rounded(arena, old_count, size), need = rounded(arena, count, size);
  if (had <= LARGEST_CHUNK) {
    void *p = sr_alloc_raw(arena, count, size);
    if (old_count)
      memcpy(p, old, old_count * size);
    return p;
  }
  SrHeap *heap = arena->heap;
  SrChunk *c = (SrChunk *)((char *)old - offsetof(SrChunk, data));
  sr_unpoison(c->data, c->room);
  c = heap->resize(heap->user, c, sizeof *c + c->room, sizeof *c + need);
  if (!c)
    longjmp(heap->out_of_memory, 1);
  count_bytes(heap, need - c->room);
  c->room = c->used = need;
  sr_poison((char *)c->data + count * size, need - count * size);
  link_chunk(arena, c);
  return c->data;
}

void *sr_alloc_zero(SrArena *arena, size_t count, size_t size) {
  return memset(sr_alloc_raw(arena, count, size), 0, count * size);
}

char *sr_strndup(SrArena *arena, const char *text, size_t count) {
  char *p = sr_alloc_raw(arena, count + 1, 1);
  memcpy(p, text, count);
  p[count] = 0;
  return p;
}

uint32_t *sr_new_none(SrArena *arena, size_t count) {
  return memset(sr_alloc_raw(arena, count, sizeof(uint32_t)), 0xff, count * sizeof(uint32_t));
}
