/* SPDX-License-Identifier: Apache-2.0 */
/* rows: numbers grouped by a key, in one array.
 *
 *   SrRowItems items = {0};
 *   SR_PUSH(arena, &items, (SrRowItem){key, number});
 *   SrRows rows = sr_rows_new(arena, keys, &items);
 *   for (SR_NUMBERS(n, rows, key)) use *n, in the order in which they were pushed */
#ifndef SR_ROWS_H
#define SR_ROWS_H

#include "passes/analysis/graph/cfg.h"

typedef struct SrRowItem {
  uint32_t key, number;
} SrRowItem;

typedef SR_VEC(SrRowItem) SrRowItems;

typedef struct SrRows {
  uint32_t *at, *number; /* those of a key: number[at[key]] … number[at[key + 1] - 1] */
} SrRows;

#define SR_NUMBERS(n, rows, key) SR_ROW(n, (rows).at, (rows).number, key)

/* `keys`: all keys are below it. Linear. */
SrRows sr_rows_new(SrArena *arena, uint32_t keys, const SrRowItems *items);

#endif
