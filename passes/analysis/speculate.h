/* speculate: which instructions may run for lanes that would not have come to them. */
#ifndef SR_SPECULATE_H
#define SR_SPECULATE_H

#include "ir/module.h"

/* May the instruction, no terminator, run whatever its operands are, without an effect and without
 * undefined behaviour (an undefined result is none)? Not so: stores, calls and the like; integer
 * division but by a constant that is not 0 or -1; floats to integers, which may not fit; accesses
 * to memory but plain loads of what a variable of this invocation's own holds at a constant place;
 * anything on images, and whatever makes pointers or opaque handles in another way. */
bool sr_may_speculate(SrModule *m, SrRef r);

#endif
