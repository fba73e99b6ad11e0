/* SPDX-License-Identifier: Apache-2.0 */
/* phi_copies: phis that only ever have one other value.
 *
 *   outer: a = phi(x, b)      a and b have the value of x wherever they are, although lanes come to b
 *   inner: b = phi(a, b)      on different paths
 *
 * x dominates such phis, and none of them can be reached from x without passing it, so each is a copy
 * of the x that its lane computed last. (M. Braun et al., Simple and Efficient Construction of Static
 * Single Assignment Form, CC 2013, section 3.2: redundant sets of phis.) */
#ifndef SR_PHI_COPIES_H
#define SR_PHI_COPIES_H

#include "passes/ir/module.h"

/* By id: the id that it is a copy of; itself if it is not a phi, or is a phi of several values.
 * Found by assuming that all phis are copies until two values meet in one, in at most 64 rounds
 * over the module's phis; a module that needs more has no copies. */
const uint32_t *sr_phi_copies(SrArena *arena, const SrModule *m);

#endif
