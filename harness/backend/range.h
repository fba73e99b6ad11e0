/* SPDX-License-Identifier: Apache-2.0 */
/* range: the least and largest value of each float in the buffers of several runs of a script. */
#ifndef HN_RANGE_H
#define HN_RANGE_H

#include "harness/backend/backend.h"

typedef struct HnRange HnRange;

/* NULL: out of memory. */
HnRange *hn_range_new(const AmberScript *script);
void hn_range_free(HnRange *range);
/* Adds the buffers of a run; a report without buffers adds nothing. */
void hn_range_add(HnRange *range, const HnReport *report);
/* Is each float of `other` in its range, extended by the range's width on either side and by `ulps`
 * units in the last place of `report`'s number, and each integer that of `report`? If `other` has a
 * NaN, some run must have had one, too. On false *message names the first number that is not, in
 * one line, which the caller frees. */
bool hn_range_holds(const HnRange *range, const HnReport *report, const HnReport *other,
                    const char *other_name, uint64_t ulps, char **message);

#endif
