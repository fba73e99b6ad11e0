/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_base: which argument or variable each pointer points into, and which accesses use it.
 *
 * Blocks are in an order in which definitions come before uses, so one walk finds the base of every
 * pointer. Phis with back edges are compared at the end. Each pointer must have exactly one base. A
 * pointer that may have several, that is loaded from memory, or that is made from an integer, is
 * refused. */
#ifndef SR_KERNEL_BASE_H
#define SR_KERNEL_BASE_H

#include "passes/transform/kernel/kernel_state.h"

/* Adds the module's variables to the bases. */
void sr_kernel_base_variables(SrKernels *k);
/* Finds the bases of the current kernel's pointers and notes their accesses. The kernel's
 * arguments have their bases already. */
SR_MUST_USE SrStatus sr_kernel_base_find(SrKernels *k);
/* Adds a base. */
uint32_t sr_kernel_base_add(SrKernels *k, uint32_t id, SrKernelPlace place, uint32_t type);
/* The base of a pointer; NULL: it has none. */
SrKernelBase *sr_kernel_base_of(const SrKernels *k, uint32_t id);
/* Bases whose elements must be of one size have a common root: its index. */
uint32_t sr_kernel_base_root(const SrKernels *k, const SrKernelBase *b);
/* Notes an access of a scalar or vector at an alignment in bytes. */
void sr_kernel_base_note(SrKernels *k, SrKernelBase *b, uint32_t type, uint32_t align);

/* ---- instructions that compute one pointer from another ---- */

/* If the instruction computes a pointer from another pointer into the same object: the index of the
 * word with that pointer. Otherwise 0. */
uint32_t sr_kernel_base_operand(uint16_t op);
/* The operands of a phi or a select that are pointers: words *first, *first + *step, ... */
void sr_kernel_base_joined_words(const SrModule *m, SrRef r, uint32_t *first, uint32_t *step);

/* One step of an access chain. */
typedef struct SrKernelStep {
  uint32_t index; /* id; 0: the step is constant */
  int64_t stride; /* bytes by index; of a constant step: all bytes */
  bool unsized;   /* it passes elements of a type whose size is not known, or 4 GiB or more */
} SrKernelStep;

/* Walks the steps of an access chain; *state is 0 at the start. False: there is none left. */
typedef struct SrKernelChain {
  SrRef r;
  uint32_t word, type;
} SrKernelChain;
SrKernelChain sr_kernel_chain(const SrKernels *k, SrRef r);
bool sr_kernel_chain_next(const SrKernels *k, SrKernelChain *c, SrKernelStep *step);
/* Refuses the access chain if the step is unsized. */
SR_MUST_USE SrStatus sr_kernel_chain_check(SrKernels *k, SrRef r, const SrKernelStep *step);

#endif
