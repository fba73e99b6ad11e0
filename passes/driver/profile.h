/* SPDX-License-Identifier: Apache-2.0 */
/* profile: the caller's profile as this version's struct. */
#ifndef SR_DRIVER_PROFILE_H
#define SR_DRIVER_PROFILE_H

#include <spvreconv/spvreconv.h>

/* False if no version has its size, if it sets a field that this version lacks, or if a number is
 * out of range. */
bool sr_profile_take(const spvreconv_profile *given, spvreconv_profile *all);

#endif
