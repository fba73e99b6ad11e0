/* SPDX-License-Identifier: Apache-2.0 */
/* barriers: policy barrier under every placement and scheduling. */
#ifndef POLICIES_BARRIERS_H
#define POLICIES_BARRIERS_H

#include "tests/equiv/policies/run.h"

/* A run that leaves the memory of `scalar`; to be freed with run_end. */
Outcome *barriers_run(const Case *c, const spv_emu_program *program, RunHow how,
                      const Outcome *scalar);
/* With the placement ipdom it runs block for block what `pdom` runs, with nak what `structured`
 * runs, with frontier about as much as `tf-stack`; under every scheduling, and from a listing that
 * is printed and read back, it leaves the same memory. */
void barriers_check(const Case *c, const spv_emu_program *program, const Outcome *outcomes,
                    uint32_t count);

#endif
