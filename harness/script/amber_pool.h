/* amber_pool: memory that dies with the script.
 *
 * A bump allocator over zeroed chunks. The sum is limited, so that no text, however it multiplies
 * itself (a struct of arrays of structs, pipelines derived from pipelines), takes more than that;
 * beyond it every request gives NULL. Large requests get a chunk of their own, whose pages the
 * system hands out zeroed and only when touched. */
#ifndef AMBER_POOL_H
#define AMBER_POOL_H

#include <stddef.h>

typedef struct AmberPool AmberPool;

AmberPool *amber_pool_new(size_t limit);
void amber_pool_free(AmberPool *pool);
/* Zeroed bytes, aligned for any type; NULL: over the limit, or out of memory. */
void *amber_pool_alloc(AmberPool *pool, size_t size);
/* A copy that ends in a zero byte. */
char *amber_pool_text(AmberPool *pool, const char *text, size_t length);
/* Room for one more behind `count` items: the array as it is, or a copy of twice the room. Arrays
 * grow at powers of two, so nothing but the count need be kept. */
void *amber_pool_grow(AmberPool *pool, void *items, size_t count, size_t item_size);

/* A copy of such an array, which may grow on its own. */
void *amber_pool_copy(AmberPool *pool, const void *items, size_t count, size_t item_size);

#endif
