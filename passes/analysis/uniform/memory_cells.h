/* SPDX-License-Identifier: Apache-2.0 */
/* memory_cells: the memory model of the uniformity analysis. Every Function or Private variable is
 * one abstract *cell*, joined with the pointer parameters it is passed to (Steensgaard 1996: one
 * union-find over all calls); local_flow.h tells its values apart if the cell does not escape. For
 * other memory, the analysis only knows for each variable and storage class whether the module ever
 * writes it. Near-linear. */
#ifndef SR_MEMORY_CELLS_H
#define SR_MEMORY_CELLS_H

#include "passes/ir/module.h"

typedef struct SrMemory SrMemory;

/* `open`, by function index: functions that code outside of the module may call. */
SrMemory *sr_memory_build(SrArena *arena, const SrModule *m, const SrBits *open);
/* The cell that a pointer points into, an id below the bound; SR_NONE if it points to other
 * memory. */
uint32_t sr_memory_cell(const SrMemory *mem, uint32_t pointer);
/* The variable or parameter from which the pointer was computed; 0: it is not known. */
uint32_t sr_memory_root(const SrMemory *mem, uint32_t pointer);
/* Is the cell reached in ways that the analysis does not follow? */
bool sr_memory_escapes(const SrMemory *mem, uint32_t cell);
/* Is the cell a Private variable (or joined with one) that the module writes? */
bool sr_memory_changes_outside(const SrMemory *mem, uint32_t cell);
/* May an OpLoad at a uniform address that does not read a divergent cell give lanes different
 * values? `workgroup`: lanes of the workgroup, not only of the subgroup. */
bool sr_memory_load_differs(const SrMemory *mem, SrRef load, bool workgroup);
/* The builtin that the OpLoad reads; SR_NONE: it does not read a builtin input. */
uint32_t sr_memory_loaded_builtin(const SrMemory *mem, SrRef load);
/* Does the OpLoad read an input that all lanes of a primitive share: flat, or a builtin of it? */
bool sr_memory_loads_of_primitive(const SrMemory *mem, SrRef load);

#endif
