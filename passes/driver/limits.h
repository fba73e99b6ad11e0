/* SPDX-License-Identifier: Apache-2.0 */
/* limits: the caller's limits on the input, stricter than SPIR-V's; and a test for modules that
 * take SPIRV-Tools' validator too long. Memory is limited by the allocator (SrHeap.resize), time by
 * the caller; see docs/limits.md. */
#ifndef SR_LIMITS_H
#define SR_LIMITS_H

#include "passes/ir/module.h"

typedef struct SrLimits { /* 0: no limit but SPIR-V's */
  uint32_t blocks;        /* of a function */
  uint32_t ids;           /* the id bound */
  uint32_t nesting;       /* of constructs, for SPIRV-Tools' validator */
} SrLimits;

/* Before a module is read: checks its header's id bound. */
SR_MUST_USE SrStatus sr_limits_check_ids(const SrLimits *limits, SrDiag *diag,
                                         const uint32_t *words, size_t count);
/* After a module has been read: checks the number of blocks of each function. */
SR_MUST_USE SrStatus sr_limits_check_blocks(const SrLimits *limits, SrArena *scratch,
                                            const SrModule *m);
/* Would SPIRV-Tools' validator take long? If so, a notice says so. The validator cannot be
 * interrupted; its time is quadratic in the number of blocks of a function and in the length of a
 * chain of calls, cubic where constructs nest deep, and its memory is many times the module's
 * size. */
bool sr_limits_is_large(const SrLimits *limits, SrArena *scratch, const SrModule *m);

#endif
