/* SPDX-License-Identifier: Apache-2.0 */
/* repack: the policies that pack the lanes of a workgroup into other subgroups. */
#ifndef POLICIES_REPACK_H
#define POLICIES_REPACK_H

#include "tests/equiv/policies/run.h"

/* `dwf` with the order pc and one subgroup runs block for block what `minpc` does; under its other
 * orders it leaves the same memory. */
void repack_check_dwf(const Case *c, const spv_emu_program *program, const Outcome *scalar,
                      const spv_emu_result *minpc);
/* `tbc` never issues more than `pdom`, and the same with one subgroup. */
void repack_check_tbc(const Case *c, const spv_emu_result *tbc, const spv_emu_result *pdom);

#endif
