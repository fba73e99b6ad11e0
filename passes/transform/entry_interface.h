/* SPDX-License-Identifier: Apache-2.0 */
/* entry_interface: completes the interfaces of kernels. From version 1.4 on an OpEntryPoint lists
 * all module variables that its functions use (SPIR-V 1.6, OpEntryPoint); llvm-spirv leaves out
 * constant tables and workgroup memory. */
#ifndef SR_ENTRY_INTERFACE_H
#define SR_ENTRY_INTERFACE_H

#include "passes/ir/module.h"

/* Marks in `changed`, by index, the functions of the kernels whose OpEntryPoint it has extended.
 * An OpEntryPoint without room for the missing variables stays as it is, with a notice. Returns
 * whether it has extended any. Linear in the code that each kernel reaches. */
bool sr_complete_interfaces(SrModule *m, SrArena *scratch, bool *changed);

/* Adds a variable to the interface of an OpEntryPoint, unless it is there. The OpEntryPoint is
 * replaced. False: it has no room. */
bool sr_interface_add(SrModule *m, SrRef entry, uint32_t variable);

#endif
