/* guard: what the mutation tests have in common besides mutants: their two options, and a word on
 * the mutant at hand when it hangs or crashes. */
#ifndef FUZZ_GUARD_H
#define FUZZ_GUARD_H

#include <stdbool.h>
#include <stdint.h>

/* --count=N, --seed=S; *count and *seed are set before. The files start at `optind`. False: wrong
 * usage. */
bool guard_options(int argc, char **argv, uint64_t *count, uint64_t *seed);
/* Catches alarms and, where no sanitizer does, crashes. */
void guard_start(void);
/* Around each mutant, which has 10 seconds; a signal in between names the seed and ends the test.
 */
void guard_begin(uint64_t seed);
void guard_end(void);

#endif
