/* SPDX-License-Identifier: Apache-2.0 */
/* compare: are the final contents of two variants the same, bit for bit; are those of two devices
 * the same within a tolerance? */
#ifndef HN_COMPARE_H
#define HN_COMPARE_H

#include "harness/backend/backend.h"

/* Compares all buffers that both reports have. On false *message names the first difference, in one
 * line, which the caller frees; `other_name` is the variant (below: the device) of `other`. */
bool hn_compare(const AmberScript *script, const HnReport *report, const HnReport *other,
                const char *other_name, char **message);

/* The same, number by number (bytes between them do not count): floats may differ by `ulps` units
 * in the last place, and any two NaNs are equal. */
bool hn_compare_within(const AmberScript *script, const HnReport *report, const HnReport *other,
                       const char *other_name, uint64_t ulps, char **message);

/* The mip level of the contents that holds the byte at *byte; subtracts the sizes of the earlier
 * levels from *byte. The contents are the buffer's own bytes, followed by the other levels. */
uint32_t hn_level_of(const AmberBuffer *buffer, size_t *byte);

/* Sets *message to one line about two numbers that differ. */
void hn_ulps_explain(const AmberBuffer *buffer, size_t element, const EmuField *field,
                     const char *x, const char *y, const char *other_name, char **message);

#endif
