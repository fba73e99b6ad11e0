/* SPDX-License-Identifier: Apache-2.0 */
/* mutate_switch: gives a switch another selector type. */
#ifndef FUZZ_MUTATE_SWITCH_H
#define FUZZ_MUTATE_SWITCH_H

#include "passes/ir/module.h"
#include "tests/equiv/gen/rng.h"

/* Converts the selector of the switch at the end of the block to a random integer type, 8 to 64
 * bits, signed or not, xor a mask that makes some literals negative. A number that does not fit
 * loses its upper bits; if two literals become equal, the reader refuses the module. */
void mutate_switch_type(SrModule *m, Rng *rng, SrList *list, SrRef before, uint32_t block);

#endif
