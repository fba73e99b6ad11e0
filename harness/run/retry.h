/* SPDX-License-Identifier: Apache-2.0 */
/* retry: runs a failed case again: what passes in one run and fails in another is a flake. */
#ifndef HN_RETRY_H
#define HN_RETRY_H

#include "harness/results/variant_result.h"

#include <stdint.h>

/* Could another run end differently: has a variant failed on the device, in this run of the
 * program? A failure without a device (a case or module that is wrong) is the same in each run. */
bool hn_retry_wanted(const HnResult *results, uint32_t count);

/* Merges `earlier`, the results of `tries` earlier runs of the variants (NULL: there were none),
 * into the results of another run. Of several failures the first is kept. Takes over the messages
 * of `earlier`. */
void hn_retry_merge(HnResult *earlier, HnResult *results, uint32_t count, unsigned tries);

/* Frees the results; NULL: none. */
void hn_retry_drop(HnResult *earlier, uint32_t count);

#endif
