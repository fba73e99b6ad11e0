/* SPDX-License-Identifier: Apache-2.0 */
/* expects: the EXPECTs that see the same contents as one that failed. */
#ifndef HN_EXPECTS_H
#define HN_EXPECTS_H

#include "spv-emu/script/script.h"

/* Finds the EXPECT at the line with which the message of a failure begins, as those of all backends
 * do, and the EXPECTs next to it: commands [*first, *end). False: the message names no EXPECT, or
 * the EXPECT is in a REPEAT, where each repetition has its own contents. */
bool hn_expects_find(const AmberScript *script, const char *message, uint32_t *first,
                     uint32_t *end);

#endif
