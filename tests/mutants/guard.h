/* SPDX-License-Identifier: Apache-2.0 */
/* guard: chooses the planted error of a run; random.sh includes it in front of each source that has
 * one. SR_PLANTED is the number of the error; the file SR_REACHED gets a 1 at the place of each
 * error whose function runs. Includes no header, since a name of one might be one of the source's.
 * Linux, x86-64. */
#pragma once

extern char *getenv(const char *name);
extern int atoi(const char *text);
extern long syscall(long number, ...);

enum { SR_GUARD_OPEN = 2, SR_GUARD_CLOSE = 3, SR_GUARD_MMAP = 9, SR_GUARD_BYTES = 4096 };

static int sr_planted_number;
static volatile char *sr_planted_reached;

__attribute__((constructor)) static void sr_planted_begin(void) {
  const char *number = getenv("SR_PLANTED"), *reached = getenv("SR_REACHED");
  sr_planted_number = number ? atoi(number) : 0;
  long file = reached ? syscall(SR_GUARD_OPEN, reached, 2L, 0L) : -1;
  if (file < 0)
    return;
  long map = syscall(SR_GUARD_MMAP, 0L, (long)SR_GUARD_BYTES, 3L, 1L, file, 0L);
  if (map != -1)
    sr_planted_reached = (volatile char *)map;
  syscall(SR_GUARD_CLOSE, file);
}

static inline int sr_planted(int number) {
  if (__builtin_expect(sr_planted_reached != 0, 0))
    sr_planted_reached[number] = 1;
  return __builtin_expect(sr_planted_number == number, 0);
}
