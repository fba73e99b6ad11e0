/* SPDX-License-Identifier: Apache-2.0 */
/* digit_paths: recorded paths of one subgroup, from texts in which each digit is a block. */
#ifndef DIGIT_PATHS_H
#define DIGIT_PATHS_H

#include "passes/analysis/graph/priority_profile.h"

#include <string.h>

enum { DIGIT_LANES = 2, DIGIT_STEPS = 32 };

typedef struct DigitPaths {
  uint32_t blocks[DIGIT_LANES][DIGIT_STEPS];
  SrPath paths[DIGIT_LANES];
  SrPaths subgroup;
} DigitPaths;

static inline void digit_paths(DigitPaths *p, const char *const paths[DIGIT_LANES]) {
  for (int i = 0; i < DIGIT_LANES; i++) {
    uint32_t count = (uint32_t)strlen(paths[i]);
    for (uint32_t k = 0; k < count; k++)
      p->blocks[i][k] = (uint32_t)(paths[i][k] - '0');
    p->paths[i] = (SrPath){p->blocks[i], count};
  }
  p->subgroup = (SrPaths){p->paths, DIGIT_LANES};
}

#endif
