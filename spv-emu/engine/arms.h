/* SPDX-License-Identifier: Apache-2.0 */
/* arms: what a hammock consists of; policy/hammock.h explains and finds hammocks. */
#ifndef EMU_ARMS_H
#define EMU_ARMS_H

#include <stdint.h>

enum { EMU_HAMMOCK_ARMS = 8 };

typedef struct EmuHammock {
  uint32_t join;
  uint32_t count;                 /* number of arms */
  uint32_t arm[EMU_HAMMOCK_ARMS]; /* blocks by ascending place, in the order in which they run */
  uint32_t to[EMU_HAMMOCK_ARMS];  /* by arm: the index of the arm that it leads to; `count`: the
                                     join */
  uint32_t issues;                /* of all arms together */
} EmuHammock;

/* The index of the block among the arms; `count`: it is not one of them. */
static inline uint32_t emu_hammock_index(const EmuHammock *h, uint32_t block) {
  uint32_t i = 0;
  while (i < h->count && h->arm[i] != block)
    i++;
  return i;
}

#endif
