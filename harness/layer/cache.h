/* cache: results on disk, one file each, named by the hash of what they follow from. Any number of
 * threads and processes may share a folder. Whoever deletes files, or the folder, loses nothing but
 * time. */
#ifndef LY_CACHE_H
#define LY_CACHE_H

#include "layer/folder.h"
#include "layer/hash.h"
#include "layer/result.h"

/* False: there is none, or it is damaged. `expected`: about how many bytes the result has. */
bool ly_cache_load(const LyFolder *folder, LyHash key, size_t expected, LyResult *result);
void ly_cache_store(LyFolder *folder, LyHash key, const LyResult *result);

#endif
