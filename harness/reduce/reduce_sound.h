/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_sound: may a device be blamed for what it computes of a case? */
#ifndef HN_REDUCE_SOUND_H
#define HN_REDUCE_SOUND_H

#include <stdbool.h>
#include <stdint.h>

/* Does the emulator give the same buffers under policies that run the lanes in different orders,
 * and in subgroups of different sizes, without an access out of bounds and in at most `most` issues?
 * If not, the case has a race, an undefined value or an endless loop, and every device may give a
 * different result. If lanes communicate, only policies that keep tangles are tried. *issues: how
 * many the first run took; NULL: not wanted. */
bool hn_reduce_sound(const char *path, const char *text, uint64_t most, uint64_t *issues);
/* The same of the first run alone: does it end, without an access out of bounds? */
bool hn_reduce_ends(const char *path, const char *text, uint64_t most);

#endif
