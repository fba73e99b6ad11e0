/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_sound: may a device be blamed for what it computes of a case? */
#ifndef HN_REDUCE_SOUND_H
#define HN_REDUCE_SOUND_H

#include <stdbool.h>
#include <stdint.h>

typedef struct HnReduceSound {
  uint64_t issues; /* of the run that took most */
  bool races;      /* invocations of a workgroup race */
} HnReduceSound;

/* Does the result depend only on the case? The emulator must leave the same buffers under policies
 * that run the lanes in different orders, in subgroups of different sizes, from the last workgroup
 * to the first, and with other values in memory that is not initialized. There must be no access
 * out of bounds, and at most `most` issues. If not, the case has a race, an undefined value or an
 * endless loop, and every device may give a different result. The same is true if invocations of
 * different workgroups race, or (unless `may_race`) invocations of one workgroup. If lanes
 * communicate, only policies that keep tangles are tried. */
bool hn_reduce_sound(const char *path, const char *text, uint64_t most, bool may_race,
                     HnReduceSound *found);
/* The same of the first run alone: does it end, without an access out of bounds? */
bool hn_reduce_ends(const char *path, const char *text, uint64_t most);

#endif
