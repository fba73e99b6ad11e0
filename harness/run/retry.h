/* SPDX-License-Identifier: Apache-2.0 */
/* retry: a failed case is run again: what passes in one run and fails in another is a flake. */
#ifndef HN_RETRY_H
#define HN_RETRY_H

#include "harness/results/variant_result.h"

#include <stdint.h>

/* Could another run end otherwise: has a variant failed on the device, in this run of the program?
 * A failure in which no device took part (a case or module that is wrong) is the same in each
 * run. */
bool hn_retry_wanted(const HnResult *results, uint32_t count);

/* Merges `earlier`, the results of `tries` earlier runs of the variants (NULL: there were none),
 * into those of another run. Of several failures the first is kept. Takes over the messages of
 * `earlier`. */
void hn_retry_merge(HnResult *earlier, HnResult *results, uint32_t count, unsigned tries);

/* Frees the results; NULL: none. */
void hn_retry_drop(HnResult *earlier, uint32_t count);

#endif
