/* SPDX-License-Identifier: Apache-2.0 */
/* key: the name of a result in the cache: a hash of the module and of everything else that the
 * result depends on. */
#ifndef LY_KEY_H
#define LY_KEY_H

#include "harness/layer/support/hash.h"

/* Everything besides the module that a result depends on. All members have 64 bits: there is no
 * padding, so the bytes can be hashed. Limits are not among them: a run that exceeds one is not
 * cached. */
typedef struct LyMadeBy {
  LyHash transform, version;             /* hashes of the texts */
  int64_t build_size, build_s, build_ns; /* the library's file: its size, and the time of its
                                            last change */
  int64_t validate, check;               /* settings, 0 or 1 */
} LyMadeBy;

/* `module`: the hash of its words. */
LyHash ly_key(LyHash module, const LyMadeBy *made_by);

#endif
