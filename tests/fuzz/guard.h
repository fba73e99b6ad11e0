/* SPDX-License-Identifier: Apache-2.0 */
/* guard: what the mutation tests share: their two options, and a message that names the current
 * mutant when it hangs or crashes. */
#ifndef FUZZ_GUARD_H
#define FUZZ_GUARD_H

#include <stdbool.h>
#include <stdint.h>

/* --count=N, --seed=S; *count and *seed have their defaults. The files start at `optind`. False:
 * wrong usage. */
bool guard_options(int argc, char **argv, uint64_t *count, uint64_t *seed);
/* Catches alarms, and crashes if no sanitizer does. */
void guard_start(void);
/* To be called before and after each mutant, which has 10 seconds; a signal in between names the
 * seed and ends the test. */
void guard_begin(uint64_t seed);
void guard_end(void);

#endif
