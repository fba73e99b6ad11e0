/* SPDX-License-Identifier: Apache-2.0 */
/* reduce_files: the files that a reduced case still names. */
#ifndef HN_REDUCE_FILES_H
#define HN_REDUCE_FILES_H

#include "harness/reduce/reduce_case.h"

/* Copies them from the folder of the case at `from` to that of the case at `to`, unless these are one
 * folder. False: the reason is on standard error. */
bool hn_reduce_files_copy(const HnReduceCase *c, const char *from, const char *to);

#endif
