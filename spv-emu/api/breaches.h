/* SPDX-License-Identifier: Apache-2.0 */
/* breaches: puts what --check=vuid has found into the result. */
#ifndef EMU_BREACHES_H
#define EMU_BREACHES_H

#include "spv-emu/exec/workgroup.h"

/* Sets result->breaches, which spv_emu_result_free frees. False: out of memory. */
bool emu_breaches_fill(spv_emu_result *result, const EmuProgram *p, const EmuTotals *totals);

#endif
