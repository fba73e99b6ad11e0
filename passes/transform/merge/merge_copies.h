/* SPDX-License-Identifier: Apache-2.0 */
/* merge_copies: undoes code copies (the reverse transformation of Wu, Diamos et al.,
 * Characterization and Transformation of Unstructured Control Flow in Bulk Synchronous GPU
 * Applications, 2012): subgraphs with the same instructions up to ids and the same exits become
 * one, with phis for values that differ. */
#ifndef SR_MERGE_COPIES_H
#define SR_MERGE_COPIES_H

#include "passes/ir/module.h"
#include "passes/transform/counts.h"

/* Merges in f what it can, and drops blocks without code. *changed is set if anything was merged;
 * otherwise f is left unchanged. A changed function loses its merge instructions: the result need
 * not be structured. A function with cross-lane operations is left alone, because more lanes would
 * meet at such an operation; if something could be merged, a notice says so. */
SR_MUST_USE SrStatus sr_merge_copies(SrModule *m, SrFunction *f, const SrBits *cross_lane,
                                     SrTransformCounts *counts, bool *changed);

#endif
