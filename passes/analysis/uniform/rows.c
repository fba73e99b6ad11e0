/* SPDX-License-Identifier: Apache-2.0 */
/* rows: see rows.h. */
#include "passes/analysis/uniform/rows.h"

SrRows sr_rows_new(SrArena *arena, uint32_t keys, const SrRowItems *items) {
  SrRows rows = {SR_NEW(arena, uint32_t, (size_t)keys + 2),
                 SR_NEW_RAW(arena, uint32_t, items->count)};
  for (uint32_t i = 0; i < items->count; i++)
    rows.at[items->at[i].key + 2]++;
  for (uint32_t k = 2; k < keys + 2; k++)
    rows.at[k] += rows.at[k - 1];
  for (uint32_t i = 0; i < items->count; i++)
    rows.number[rows.at[items->at[i].key + 1]++] = items->at[i].number;
  return rows;
}
