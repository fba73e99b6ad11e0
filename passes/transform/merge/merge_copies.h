/* merge_copies: the way back from code copies (the reverse transformation of Wu, Diamos et al.,
 * Characterization and Transformation of Unstructured Control Flow in Bulk Synchronous GPU
 * Applications, 2012): subgraphs with the same instructions up to ids and the same exits become
 * one, with phis for values that differ. */
#ifndef SR_MERGE_COPIES_H
#define SR_MERGE_COPIES_H

#include "ir/module.h"
#include "transform/counts.h"

/* Merges what it can in f, and leaves out the blocks without code. *changed is set if anything was
 * merged; else f is left as it is. A function that changes has no merge instructions any more: the
 * result need not be structured. One with cross-lane operations is left alone with a notice where
 * something could be merged, for more lanes would meet there. */
SR_MUST_USE SrStatus sr_merge_copies(SrModule *m, SrFunction *f, const SrBits *cross_lane,
                                     SrTransformCounts *counts, bool *changed);

#endif
