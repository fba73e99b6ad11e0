/* limits: what an input may have at most, where the caller wants less than SPIR-V allows, and what
 * is too much for SPIRV-Tools' validator. Memory is limited where it comes from (SrHeap.resize),
 * time by whoever called; see docs/limits.md. */
#ifndef SR_LIMITS_H
#define SR_LIMITS_H

#include "ir/module.h"

typedef struct SrLimits { /* 0: none but SPIR-V's */
  uint32_t blocks;        /* of a function */
  uint32_t ids;           /* the id bound */
  uint32_t nesting;       /* of constructs, for SPIRV-Tools' validator */
} SrLimits;

/* Before a module is read: its header's id bound. */
SR_MUST_USE SrStatus sr_limits_check_ids(const SrLimits *limits, SrDiag *diag,
                                         const uint32_t *words, size_t count);
/* Behind that: its functions' blocks. */
SR_MUST_USE SrStatus sr_limits_check_blocks(const SrLimits *limits, SrArena *scratch,
                                            const SrModule *m);
/* Would SPIRV-Tools' validator take long? Then a notice says so. It cannot be interrupted; its time
 * is quadratic in a function's blocks and in a chain of calls, where constructs nest deep cubic,
 * its memory many times a module's size. */
bool sr_limits_is_large(const SrLimits *limits, SrArena *scratch, const SrModule *m);

#endif
