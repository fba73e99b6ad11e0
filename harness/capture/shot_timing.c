/* SPDX-License-Identifier: Apache-2.0 */
/* shot_timing: see shot_timing.h. Timestamps are taken at the bottom of the pipe, so the second one is that of the
 * dispatch's end, and the first that of the end of the commands before. */
#include "harness/capture/shot_timing.h"

#include "harness/capture/shot.h"

#include <stdlib.h>

enum { TIMED = 128, MOST_POOLS = 32 };

static CpTiming *new_timing(CpDevice *d, VkCommandBuffer commands, uint32_t valid_bits) {
  CpTiming *timing = calloc(1, sizeof *timing + TIMED * sizeof timing->timed[0]);
  const VkQueryPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
                                      .queryType = VK_QUERY_TYPE_TIMESTAMP,
                                      .queryCount = 2 * TIMED};
  if (!timing || d->next.CreateQueryPool(d->handle, &info, NULL, &timing->pool) != VK_SUCCESS) {
    free(timing);
    return NULL;
  }
  timing->valid_bits = valid_bits;
  d->next.CmdResetQueryPool(commands, timing->pool, 0, 2 * TIMED);
  return timing;
}

static uint32_t count_pools(const CpTiming *list) {
  uint32_t count = 0;
  for (; list; list = list->next)
    count++;
  return count;
}

CpTiming *cp_timing_begin(CpDevice *d, VkCommandBuffer commands, uint32_t family, CpTiming **list,
                          uint32_t row) {
  uint32_t bits = family < d->family_count ? d->families[family].timestampValidBits : 0;
  if (!bits)
    return NULL;
  if (!*list || (*list)->count == TIMED) {
    CpTiming *added = count_pools(*list) < MOST_POOLS ? new_timing(d, commands, bits) : NULL;
    if (!added)
      return NULL;
    added->next = *list;
    *list = added;
  }
  CpTiming *timing = *list;
  timing->timed[timing->count] = (CpTimed){.row = row};
  d->next.CmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, timing->pool,
                            2 * timing->count);
  return timing;
}

void cp_timing_end(CpDevice *d, VkCommandBuffer commands, CpTiming *timing, CpShot *shot) {
  if (!timing)
    return;
  d->next.CmdWriteTimestamp(commands, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, timing->pool,
                            2 * timing->count + 1);
  timing->timed[timing->count++].shot = shot;
}

static void add_time(CpDevice *d, const CpTimed *timed, double seconds) {
  cp_session_time(d->session, timed->row, seconds);
  if (timed->shot && !timed->shot->done)
    timed->shot->seconds = seconds;
}

void cp_timing_read(CpDevice *d, const CpTiming *list) {
  for (; list; list = list->next) {
    uint64_t times[2 * TIMED];
    if (!list->count ||
        d->next.GetQueryPoolResults(d->handle, list->pool, 0, 2 * list->count, sizeof times, times,
                                    sizeof *times, VK_QUERY_RESULT_64_BIT) != VK_SUCCESS)
      continue;
    uint64_t mask = list->valid_bits < 64 ? (UINT64_C(1) << list->valid_bits) - 1 : UINT64_MAX;
    for (uint32_t i = 0; i < list->count; i++)
      add_time(d, &list->timed[i],
               (double)((times[2 * i + 1] - times[2 * i]) & mask) * d->nanoseconds * 1e-9);
  }
}

void cp_timing_free(CpDevice *d, CpTiming *list) {
  for (CpTiming *next; list; list = next) {
    next = list->next;
    d->next.DestroyQueryPool(d->handle, list->pool, NULL);
    free(list);
  }
}
