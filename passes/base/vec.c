/* SPDX-License-Identifier: Apache-2.0 */
/* vec: see vec.h. */
#include "passes/base/vec.h"

void *sr_vec_grow(SrArena *arena, void *old, uint32_t *room, uint32_t need, size_t size) {
  uint32_t more = *room ? *room : 8;
  while (more < need && more < UINT32_MAX / 2)
    more *= 2;
  if (more < need)
    longjmp(arena->heap->out_of_memory, 1);
  void *p = sr_alloc_more(arena, old, *room, more, size);
  *room = more;
  return p;
}
