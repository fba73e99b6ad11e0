/* SPDX-License-Identifier: Apache-2.0 */
/* case_file: reads the files that a case names. */
#ifndef HN_CASE_FILE_H
#define HN_CASE_FILE_H

#include "spv-emu/script/script.h"

enum { HN_FILE_MOST = 256 << 20 }; /* bytes of a case file */

/* The files that the case at `path` names, relative to its folder. `path` must outlive the result. */
AmberFiles hn_files_beside(const char *path);

#endif
