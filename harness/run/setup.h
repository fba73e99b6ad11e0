/* setup: one number for all that a result depends on besides its case. */
#ifndef HN_SETUP_H
#define HN_SETUP_H

#include "run/devices.h"

#include <stdint.h>

/* By device, of malloc: the hash of this very program, what the driver says of the device (its
 * version included), the options that count, and the list of variants (each is compared with those
 * before it). NULL: out of memory, or /proc is missing. */
uint64_t *hn_setup_hashes(const HnDevices *devices, const char *const *variants,
                          uint32_t variant_count, bool validation, bool check, double timeout);

#endif
