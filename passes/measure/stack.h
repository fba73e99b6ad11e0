/* SPDX-License-Identifier: Apache-2.0 */
/* stack: the issues of a stack of immediate post-dominators on paths of lanes (Fung et al., Dynamic
 * Warp Formation, MICRO 2007, section 2): lanes that a branch separates wait for each other at its
 * immediate post-dominator, and continue there as soon as all have arrived or ended. */
#ifndef SR_STACK_H
#define SR_STACK_H

#include "passes/analysis/graph/cfg.h"
#include "passes/analysis/graph/priority_profile.h"

/* The issues of all subgroups of the profile (its blocks are `g`'s). Time: linear in the paths. */
uint64_t sr_stack_issues(SrArena *arena, const SrProfile *profile, const SrGraph *g);

#endif
