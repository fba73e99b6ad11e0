/* SPDX-License-Identifier: Apache-2.0 */
/* nearest: the known name that a misspelt name probably stands for; for messages.
 *
 * The distance is that of optimal string alignment: insertions, deletions, substitutions and
 * transpositions of neighbours, each of which counts 1 (R. Lowrance, R. Wagner: An Extension of the
 * String-to-String Correction Problem, J. ACM 22, 1975, without edits inside a transposition). A
 * name is near if the distance is at most 1, or at most a third of the longer name's length. */
#ifndef SR_NEAREST_H
#define SR_NEAREST_H

#include <stddef.h>
#include <string.h>

enum { SR_NEAREST_LONGEST = 48 }; /* for longer names none is suggested */

static inline size_t sr_nearest_least(size_t a, size_t b) {
  return a < b ? a : b;
}

/* The distance of two names of at most SR_NEAREST_LONGEST characters. Three rows of the table of
 * prefixes are kept: the current one and the two before it. */
static inline size_t sr_nearest_distance(const char *a, size_t a_length, const char *b,
                                         size_t b_length) {
  size_t rows[3][SR_NEAREST_LONGEST + 1];
  for (size_t j = 0; j <= b_length; j++)
    rows[0][j] = j;
  for (size_t i = 1; i <= a_length; i++) {
    size_t *now = rows[i % 3], *above = rows[(i + 2) % 3], *second = rows[(i + 1) % 3];
    now[0] = i;
    for (size_t j = 1; j <= b_length; j++) {
      now[j] = sr_nearest_least(above[j - 1] + (a[i - 1] != b[j - 1]),
                                sr_nearest_least(above[j], now[j - 1]) + 1);
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        now[j] = sr_nearest_least(now[j], second[j - 2] + 1);
    }
  }
  return rows[a_length % 3][b_length];
}

/* Sets *best to `known` if `known` is near `name`, and nearer than *best. *best and *distance start
 * as NULL and 0. `name` need not be terminated. */
static inline void sr_nearest_try(const char *name, size_t length, const char *known,
                                  const char **best, size_t *distance) {
  size_t known_length = strlen(known);
  if (!length || length > SR_NEAREST_LONGEST || known_length > SR_NEAREST_LONGEST)
    return;
  size_t longer = length > known_length ? length : known_length;
  size_t most = longer < 6 ? 1 : longer / 3;
  size_t found = sr_nearest_distance(name, length, known, known_length);
  if (found > most || (*best && found >= *distance))
    return;
  *best = known;
  *distance = found;
}

#endif
