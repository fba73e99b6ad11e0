/* SPDX-License-Identifier: Apache-2.0 */
/* compare: are the final contents of two variants the same, bit for bit, or those of two devices
 * within a tolerance? */
#ifndef HN_COMPARE_H
#define HN_COMPARE_H

#include "harness/backend/backend.h"

/* Compares all buffers that both reports have. On false *message names the first difference, one
 * line to be freed; `other_name` is the variant (below: the device) of `other`. */
bool hn_compare(const AmberScript *script, const HnReport *report, const HnReport *other,
                const char *other_name, char **message);

/* The same, number by number (bytes between them do not count): floats may differ by `ulps` units
 * in the last place, and any two NaNs are equal. */
bool hn_compare_within(const AmberScript *script, const HnReport *report, const HnReport *other,
                       const char *other_name, uint64_t ulps, char **message);

/* In which mip level of the contents is the byte at *byte? Subtracts the sizes of the levels before
 * that one from *byte. The contents are the buffer's own bytes, followed by the other levels. */
uint32_t hn_level_of(const AmberBuffer *buffer, size_t *byte);

/* By how many units in the last place a number differs between two elements, which start at `x` and
 * `y`; UINT64_MAX if it differs and has no such distance: it is not a float of 16 bits or more, or
 * one of the two is NaN. */
uint64_t hn_ulps_between(const EmuField *field, const char *x, const char *y);
/* Sets *message to one line about two numbers that differ. */
void hn_ulps_explain(const AmberBuffer *buffer, size_t element, const EmuField *field,
                     const char *x, const char *y, const char *other_name, char **message);

#endif
