/* SPDX-License-Identifier: Apache-2.0 */
/* amber_pool: see amber_pool.h. */
#include "spv-emu/script/amber_pool.h"

#include <stdlib.h>
#include <string.h>

enum { CHUNK = 1 << 16 };

/* Under AddressSanitizer, every request is an allocation of its own, so that reads past its end are
 * detected. */
#ifdef SPVRECONV_SANITIZED
enum { SHARED_MOST = 0 };
#else
enum { SHARED_MOST = CHUNK / 4 };
#endif

typedef struct Chunk {
  struct Chunk *next;
  max_align_t bytes[];
} Chunk;

typedef struct Kept {
  struct Kept *next;
  void *bytes;
  size_t size;
  void (*release)(void *bytes, size_t size);
} Kept;

struct AmberPool {
  Chunk *chunks;
  Kept *kept;
  unsigned char *free;
  size_t left;
  size_t limit; /* bytes that may still be requested */
};

AmberPool *amber_pool_new(size_t limit) {
  AmberPool *pool = calloc(1, sizeof *pool);
  if (pool)
    pool->limit = limit;
  return pool;
}

void amber_pool_free(AmberPool *pool) {
  if (!pool)
    return;
  for (Chunk *chunk = pool->chunks, *next; chunk; chunk = next) {
    next = chunk->next;
    free(chunk);
  }
  for (Kept *kept = pool->kept, *next; kept; kept = next) {
    next = kept->next;
    kept->release(kept->bytes, kept->size);
    free(kept);
  }
  free(pool);
}

bool amber_pool_keep(AmberPool *pool, void *bytes, size_t size,
                     void (*release)(void *bytes, size_t size)) {
  Kept *kept = malloc(sizeof *kept);
  if (!kept)
    return false;
  *kept = (Kept){pool->kept, bytes, size, release};
  pool->kept = kept;
  return true;
}

static void *chunk_new(AmberPool *pool, size_t size) {
  Chunk *chunk = calloc(1, sizeof *chunk + size);
  if (!chunk)
    return NULL;
  chunk->next = pool->chunks;
  pool->chunks = chunk;
  return chunk->bytes;
}

void *amber_pool_alloc(AmberPool *pool, size_t size) {
  const size_t align = sizeof(max_align_t);
  if (size > pool->limit)
    return NULL;
  size_t rounded = size ? (size + align - 1) / align * align : align;
  pool->limit -= rounded < pool->limit ? rounded : pool->limit;
  if (rounded > SHARED_MOST)
    return chunk_new(pool, size);
  if (rounded > pool->left) {
    pool->free = chunk_new(pool, CHUNK);
    pool->left = pool->free ? CHUNK : 0;
    if (!pool->free)
      return NULL;
  }
  void *result = pool->free;
  pool->free += rounded;
  pool->left -= rounded;
  return result;
}

char *amber_pool_text(AmberPool *pool, const char *text, size_t length) {
  char *copy = amber_pool_alloc(pool, length + 1);
  if (copy && length)
    memcpy(copy, text, length);
  return copy;
}

void *amber_pool_grow(AmberPool *pool, void *items, size_t count, size_t item_size) {
  if (count && (count < 4 || (count & (count - 1)) != 0))
    return items;
  size_t room = count ? 2 * count : 4;
  void *grown = amber_pool_alloc(pool, room * item_size);
  if (grown && count)
    memcpy(grown, items, count * item_size);
  return grown;
}

void *amber_pool_copy(AmberPool *pool, const void *items, size_t count, size_t item_size) {
  size_t room = 4;
  while (room < count)
    room *= 2;
  void *copy = amber_pool_alloc(pool, room * item_size);
  if (copy && count)
    memcpy(copy, items, count * item_size);
  return copy;
}
