/* SPDX-License-Identifier: Apache-2.0 */
/* cache: results on disk, one file each, named by the hash of their inputs. Any number of threads
 * and processes may share a folder. Files may be deleted at any time; their results are then
 * computed again. */
#ifndef LY_CACHE_H
#define LY_CACHE_H

#include "harness/layer/layer_result.h"
#include "harness/layer/support/hash.h"
#include "harness/layer/support/layer_folder.h"

/* False: not found, or damaged. `expected`: the approximate size of the result in bytes. */
bool ly_cache_load(const LyFolder *folder, LyHash key, size_t expected, LyResult *result);
void ly_cache_store(LyFolder *folder, LyHash key, const LyResult *result);

#endif
