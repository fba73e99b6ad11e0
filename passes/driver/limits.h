/* SPDX-License-Identifier: Apache-2.0 */
/* limits: the most an input may have, if the caller allows less than SPIR-V does, and what is too
 * much for SPIRV-Tools' validator. Memory is limited at its source (SrHeap.resize), time by the
 * caller; see docs/limits.md. */
#ifndef SR_LIMITS_H
#define SR_LIMITS_H

#include "ir/module.h"

typedef struct SrLimits { /* 0: no limit but SPIR-V's */
  uint32_t blocks;        /* of a function */
  uint32_t ids;           /* the id bound */
  uint32_t nesting;       /* of constructs, for SPIRV-Tools' validator */
} SrLimits;

/* Before a module is read: checks its header's id bound. */
SR_MUST_USE SrStatus sr_limits_check_ids(const SrLimits *limits, SrDiag *diag,
                                         const uint32_t *words, size_t count);
/* After that: checks its functions' blocks. */
SR_MUST_USE SrStatus sr_limits_check_blocks(const SrLimits *limits, SrArena *scratch,
                                            const SrModule *m);
/* Would SPIRV-Tools' validator take long? Then a notice says so. It cannot be interrupted; its time
 * is quadratic in a function's blocks and in a chain of calls, cubic where constructs nest deep,
 * and its memory many times a module's size. */
bool sr_limits_is_large(const SrLimits *limits, SrArena *scratch, const SrModule *m);

#endif
