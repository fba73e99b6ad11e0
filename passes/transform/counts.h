/* SPDX-License-Identifier: Apache-2.0 */
/* counts: what a transform did to one function (counts.def). */
#ifndef SR_COUNTS_H
#define SR_COUNTS_H

#include <stdint.h>

typedef struct SrTransformCounts {
#define SR_COUNT(name) uint32_t name;
#include "passes/names/counts.def"
#undef SR_COUNT
} SrTransformCounts;

#endif
