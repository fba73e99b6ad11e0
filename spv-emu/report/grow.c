/* SPDX-License-Identifier: Apache-2.0 */
/* grow: see grow.h. */
#include "spv-emu/report/grow.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_ROOM = 16 };

bool emu_grow(void **at, uint64_t *room, uint64_t need, size_t size) {
  if (need <= *room)
    return true;
  uint64_t more = *room * 2 > need ? *room * 2 : need + FIRST_ROOM;
  char *grown = realloc(*at, more * size);
  if (!grown)
    return false;
  memset(grown + *room * size, 0, (more - *room) * size);
  *at = grown;
  *room = more;
  return true;
}
