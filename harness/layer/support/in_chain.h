/* SPDX-License-Identifier: Apache-2.0 */
/* in_chain: finds a structure in a pNext chain. */
#ifndef LY_IN_CHAIN_H
#define LY_IN_CHAIN_H

#include <stdint.h>
#include <vulkan/vulkan_core.h>

/* The first structure of this type; NULL: there is none. It belongs to the chain's owner. */
static inline void *ly_in_chain(const void *chain, VkStructureType type) {
  const VkBaseInStructure *at = chain;
  while (at && at->sType != type)
    at = at->pNext;
  return (void *)(uintptr_t)at;
}

#endif
