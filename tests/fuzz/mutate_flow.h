/* SPDX-License-Identifier: Apache-2.0 */
/* mutate_flow: small random changes to a module's control flow. */
#ifndef MUTATE_FLOW_H
#define MUTATE_FLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Changes the module in place: one to three times, replaces the label in a branch or merge
 * instruction by another label of the function, swaps two labels of one instruction, or turns a
 * merge instruction into OpNops. The result depends only on `seed`. Returns false if the module has
 * no function with a branch. */
bool mutate_flow(uint32_t *words, size_t count, uint64_t seed);

#endif
