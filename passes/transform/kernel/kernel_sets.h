/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_sets: finds which objects each pointer of a kernel may point into, and which images each
 * image operand may be.
 *
 * Each argument and variable has a number, and so has null; a set holds such numbers. A pointer
 * that is computed from another pointer has the same set. A phi or a select has the union of its
 * operands' sets. A pointer that is loaded from a variable of the invocation has the union of the
 * sets of all pointers that are stored there. The sets of phis grow until nothing changes, at most
 * to all objects. */
#ifndef SR_KERNEL_SETS_H
#define SR_KERNEL_SETS_H

#include "passes/transform/kernel/kernel_state.h"

enum { SR_KERNEL_MOST_BASES = 16 /* in a set */, SR_KERNEL_NULL_BASE = 0 };

typedef struct SrKernelSet {
  uint32_t count, base[SR_KERNEL_MOST_BASES]; /* ascending, null first */
} SrKernelSet;

typedef struct SrKernelSets {
  SrKernels *k;
  SrIdTable *number;                /* by id of an argument or variable: its number, from 1 */
  SrIdTable *of;                    /* by id of another pointer: index of its set */
  SR_VEC(uint32_t) object;          /* by number: id */
  SR_VEC(SrKernelSet) set, content; /* content: by number, of the pointers in a variable */
  SR_VEC(SrRef) joined;             /* phis and selects of pointers */
  bool needed; /* some set has several members, or null, or a pointer is in memory */
} SrKernelSets;

/* Does a value of the type have a set, because it is a pointer or an image, perhaps with a
 * sampler? */
bool sr_kernel_sets_apply(const SrModule *m, uint32_t type);
/* The sets of the current kernel's pointers. */
SR_MUST_USE SrStatus sr_kernel_sets_find(SrKernels *k, SrKernelSets *sets);
/* Ends the use of the sets. */
void sr_kernel_sets_end(SrKernelSets *sets);
/* The set of a pointer; empty: it is not known, or undefined. */
SrKernelSet sr_kernel_sets_of(const SrKernelSets *sets, uint32_t id);
bool sr_kernel_sets_have(const SrKernelSet *set, uint32_t base);
/* Does the instruction load or store a pointer in variables of the invocation? */
bool sr_kernel_sets_in_memory(const SrKernelSets *sets, SrRef r);
/* The objects in the set, without null. */
uint32_t sr_kernel_sets_objects(const SrKernelSet *set);
/* Does a pointer with this set need a number that says which object it points into? */
bool sr_kernel_sets_open(const SrKernelSet *set);

#endif
