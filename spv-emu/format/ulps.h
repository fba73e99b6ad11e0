/* SPDX-License-Identifier: Apache-2.0 */
/* ulps: how far apart two numbers are, in units in the last place. */
#ifndef EMU_ULPS_H
#define EMU_ULPS_H

#include "spv-emu/format/format.h"

/* How many floats of the field's width lie between its numbers in two elements; both zeros are one,
 * and so are all NaNs. Other numbers, and floats of less than 16 bits: 0 if they are equal, else
 * UINT64_MAX, as between a NaN and a number. */
uint64_t emu_ulps_between(const EmuField *field, const void *x, const void *y);

#endif
