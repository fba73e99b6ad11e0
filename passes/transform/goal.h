/* SPDX-License-Identifier: Apache-2.0 */
/* goal: what transforms that may copy code save. */
#ifndef SR_GOAL_H
#define SR_GOAL_H

typedef enum SrGoal {
  SR_GOAL_SIZE,   /* instructions */
  SR_GOAL_ISSUES, /* blocks that a subgroup runs */
} SrGoal;

#endif
