/* SPDX-License-Identifier: Apache-2.0 */
/* goal: what structurize saves when it has a choice. */
#ifndef SR_GOAL_H
#define SR_GOAL_H

typedef enum SrGoal {
  SR_GOAL_NONE,   /* nothing: structurize makes no choices; copies of tails save instructions */
  SR_GOAL_SIZE,   /* instructions */
  SR_GOAL_ISSUES, /* blocks that a subgroup runs */
} SrGoal;

/* Which structure structurize may write. */
typedef enum SrStructureForm {
  SR_STRUCTURE_PORTABLE, /* only what structured languages can say (docs/structurize.md) */
  SR_STRUCTURE_ANY,      /* all that SPIR-V allows */
} SrStructureForm;

#endif
