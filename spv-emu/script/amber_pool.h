/* SPDX-License-Identifier: Apache-2.0 */
/* amber_pool: memory that lives as long as the script.
 *
 * A bump allocator over zeroed chunks. The sum is limited: declarations can multiply each other (a
 * struct of arrays of structs, pipelines derived from pipelines), and above the limit every request
 * returns NULL. Large requests get a chunk of their own, whose pages the system zeroes when they
 * are first touched. */
#ifndef AMBER_POOL_H
#define AMBER_POOL_H

#include <stdbool.h>
#include <stddef.h>

typedef struct AmberPool AmberPool;

AmberPool *amber_pool_new(size_t limit);
void amber_pool_free(AmberPool *pool);
/* Zeroed bytes, aligned for any type; NULL: over the limit, or out of memory. */
void *amber_pool_alloc(AmberPool *pool, size_t size);
/* A copy that ends in a zero byte. */
char *amber_pool_text(AmberPool *pool, const char *text, size_t length);
/* Makes room for one more item after `count`; returns the same array, or a copy of twice the size.
 * Arrays grow at powers of two, so the count alone determines their size. */
void *amber_pool_grow(AmberPool *pool, void *items, size_t count, size_t item_size);

/* Keeps memory that is not the pool's until the pool is freed, which calls `release`. False: out of
 * memory, and nothing is kept. */
bool amber_pool_keep(AmberPool *pool, void *bytes, size_t size,
                     void (*release)(void *bytes, size_t size));

/* A copy of an array that amber_pool_grow has made; the copy may grow independently. */
void *amber_pool_copy(AmberPool *pool, const void *items, size_t count, size_t item_size);

#endif
