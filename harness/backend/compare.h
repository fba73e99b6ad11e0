/* SPDX-License-Identifier: Apache-2.0 */
/* compare: are the final contents of two variants the same, bit for bit? */
#ifndef HN_COMPARE_H
#define HN_COMPARE_H

#include "backend/backend.h"

/* Compares all buffers that both reports have. On false *message names the first difference, one
 * line to be freed; `other_name` is the variant of `other`. */
bool hn_compare(const AmberScript *script, const HnReport *report, const HnReport *other,
                const char *other_name, char **message);

#endif
