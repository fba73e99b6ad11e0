/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_access: instructions that read or write memory, and what replaces them: loads and stores
 * of elements of the base, joined or taken apart where the access is wider than an element. */
#ifndef SR_KERNEL_ACCESS_H
#define SR_KERNEL_ACCESS_H

#include "passes/transform/kernel/kernel_emit.h"

typedef enum SrAccessKind {
  SR_ACCESS_NONE,
  SR_ACCESS_LOAD,
  SR_ACCESS_STORE,
  SR_ACCESS_ATOMIC,
  SR_ACCESS_VLOAD,  /* vloadn */
  SR_ACCESS_VSTORE, /* vstoren */
  SR_ACCESS_COPY,   /* OpCopyMemory, OpCopyMemorySized */
  SR_ACCESS_OUT,    /* a function of OpenCL.std that also stores a result */
} SrAccessKind;

typedef struct SrKernelAccess {
  SrAccessKind kind;
  uint32_t pointer, source; /* source: of a copy */
  uint32_t type;            /* of the value in memory; of a copy: 0 */
  uint32_t value;           /* that is stored */
  uint32_t index;           /* of vloadn and vstoren: in vectors */
  uint32_t align;
  uint32_t bytes; /* of a copy; 0: not known */
  bool is_volatile;
} SrKernelAccess;

/* What the instruction accesses; kind NONE: nothing. */
SrKernelAccess sr_kernel_access_read(const SrKernels *k, SrRef r);
/* Writes the instructions that replace an access. */
SR_MUST_USE SrStatus sr_kernel_access_write(SrEmit *e, SrRef r, const SrKernelAccess *a);
/* Stores a value at an offset, in bytes, of a base. */
void sr_kernel_access_store_at(SrEmit *e, const SrKernelBase *b, uint32_t bytes, uint32_t value);
/* A pointer to the element at `offset`, in grains, plus `more` elements. */
uint32_t sr_kernel_access_pointer(SrEmit *e, const SrKernelBase *b, uint32_t offset, uint32_t more);

#endif
