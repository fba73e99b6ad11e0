/* SPDX-License-Identifier: Apache-2.0 */
/* shot_timing: measures the dispatches of a recording with timestamps. A recording has room for
 * CP_TIMED_MOST of them; later dispatches are not timed. */
#ifndef CP_TIMING_H
#define CP_TIMING_H

#include "harness/capture/capture_device.h"

struct CpShot;

typedef struct CpTimed {
  uint32_t row;
  struct CpShot *shot; /* of this dispatch; or NULL */
} CpTimed;

/* A pool of queries, two for each dispatch. */
typedef struct CpTiming {
  struct CpTiming *next;
  VkQueryPool pool;
  uint32_t count, valid_bits;
  CpTimed timed[];
} CpTiming;

/* Records the first timestamp of a dispatch; NULL: it is not timed. *list: the recording's pools. */
CpTiming *cp_timing_begin(CpDevice *device, VkCommandBuffer commands, uint32_t family,
                          CpTiming **list, uint32_t row);
/* Records the second timestamp. `shot`: of this dispatch, or NULL. */
void cp_timing_end(CpDevice *device, VkCommandBuffer commands, CpTiming *timing,
                   struct CpShot *shot);
/* Adds the times of a submission that is complete. */
void cp_timing_read(CpDevice *device, const CpTiming *list);
void cp_timing_free(CpDevice *device, CpTiming *list);

#endif
