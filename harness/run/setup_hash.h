/* SPDX-License-Identifier: Apache-2.0 */
/* setup_hash: a hash of everything besides its case that a result depends on. */
#ifndef HN_SETUP_HASH_H
#define HN_SETUP_HASH_H

#include "harness/run/run.h"

/* By device of the run, malloc'd: the hash of this program, the driver's description of the device
 * (with its version), the options that affect results, and the list of variants (each is compared
 * with the earlier ones). NULL: out of memory, or /proc is missing. */
uint64_t *hn_setup_hashes(const HnRun *run);

#endif
