/* SPDX-License-Identifier: Apache-2.0 */
/* struct_copy: structures arbitrary control flow by copying code (Wu, Diamos et al.,
 * Characterization and Transformation of Unstructured Control Flow in Bulk Synchronous GPU
 * Applications, 2012, section 3, after Zhang and D'Hollander 2004), for comparison with
 * structurize. */
#ifndef SR_STRUCT_COPY_H
#define SR_STRUCT_COPY_H

#include "passes/ir/module.h"
#include "passes/transform/copy/region.h"
#include "passes/transform/counts.h"
#include "passes/transform/goal.h"

typedef struct SrStructCopy {
  uint32_t max_growth; /* percent */
  SrStructureForm structure;
  SrCopyRule rule;
} SrStructCopy;

/* Reads "strict" or "forward-first" into `rule`, and "portable" or "any", alone or after it and a colon, into
 * `structure`. False: the text is none of these. */
bool sr_struct_copy_read(const char *text, SrStructCopy *options);

/* Rewrites function f, whatever its merge instructions say; the caller skips functions that are
 * structured already. Fails, before anything is changed, if more than options->max_growth percent of
 * its instructions would be copied. If a block with a cross-lane operation would be copied, or lies in
 * a cycle to be peeled, fewer lanes would meet there, so the function gets no copies, with a
 * notice. `cross_lane`: see sr_cross_lane_functions. Adds to `counts`. */
SR_MUST_USE SrStatus sr_struct_copy(SrModule *m, SrFunction *f, const SrBits *cross_lane,
                                    const SrStructCopy *options, SrTransformCounts *counts);

#endif
