/* SPDX-License-Identifier: Apache-2.0 */
/* goal: what structurize saves where it has a choice. */
#ifndef SR_GOAL_H
#define SR_GOAL_H

typedef enum SrGoal {
  SR_GOAL_NONE,   /* nothing: it does not look for choices; copies of tails save instructions */
  SR_GOAL_SIZE,   /* instructions */
  SR_GOAL_ISSUES, /* blocks that a subgroup runs */
} SrGoal;

#endif
