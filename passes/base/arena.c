/* arena: see arena.h. Chunks double in size up to 1 MB; a request larger than that gets a chunk of
 * its own. All chunks of a heap hang in one ring so that one call frees them all. */
#include "base/arena.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_CHUNK = 16 * 1024, LARGEST_CHUNK = 1024 * 1024 };

typedef struct SrChunk {
  struct SrChunk *prev, *next; /* all chunks of the heap */
  struct SrChunk *below;       /* the next older chunk of the same arena */
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
  sr_arena_reset(arena, (SrMark){NULL, 0});
}

SrMark sr_arena_mark(const SrArena *arena) {
  return (SrMark){arena->chunk, arena->chunk ? arena->chunk->used : 0};
}

void sr_arena_reset(SrArena *arena, SrMark mark) {
  while (arena->chunk != mark.chunk) {
    SrChunk *c = arena->chunk;
    arena->chunk = c->below;
    free_chunk(arena->heap, c);
  }
  if (arena->chunk)
    arena->chunk->used = mark.used;
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
  heap->bytes += sizeof *c + room;
  if (heap->bytes > heap->peak)
    heap->peak = heap->bytes;
  *c = (SrChunk){.next = heap->chunks, .below = arena->chunk, .room = room};
  if (heap->chunks)
    heap->chunks->prev = c;
  heap->chunks = c;
  arena->chunk = c;
}

void *sr_alloc_raw(SrArena *arena, size_t count, size_t size) {
  const size_t unit = sizeof(max_align_t);
  if (size && count > (SIZE_MAX / 4) / size)
    longjmp(arena->heap->out_of_memory, 1);
  size_t need = (count * size + unit - 1) / unit * unit;
  SrChunk *c = arena->chunk;
  if (!c || c->room - c->used < need) {
    push_chunk(arena, need);
    c = arena->chunk;
  }
  char *p = (char *)c->data + c->used;
  c->used += need;
  return p;
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
