/* SPDX-License-Identifier: Apache-2.0 */
/* expects: finds the EXPECTs that see the same contents as one that failed. */
#ifndef HN_EXPECTS_H
#define HN_EXPECTS_H

#include "spv-emu/script/script.h"

/* The message of a failure begins with a line of the script, in all backends. Finds the EXPECT at
 * this line, and the EXPECTs next to it: commands [*first, *end). False: the message names no
 * EXPECT, or the EXPECT is in a REPEAT, where each repetition has its own contents. */
bool hn_expects_find(const AmberScript *script, const char *message, uint32_t *first,
                     uint32_t *end);

#endif
