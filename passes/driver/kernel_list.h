/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_list: what a result says about kernels that became shaders. */
#ifndef SR_KERNEL_LIST_H
#define SR_KERNEL_LIST_H

#include "passes/driver/result.h"
#include "passes/ir/module.h"

/* Copies the module's list (SrModule.kernels), if it has one, to the result. */
void sr_kernel_list(spvreconv_result *result, const SrModule *m);

#endif
