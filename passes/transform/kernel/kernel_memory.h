/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_memory: which instructions of a kernel access memory, where, and how wide. */
#ifndef SR_KERNEL_MEMORY_H
#define SR_KERNEL_MEMORY_H

#include "passes/transform/kernel/kernel_state.h"

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
SrKernelAccess sr_kernel_memory_access(const SrKernels *k, SrRef r);
/* The same of copies only: of another instruction, kind NONE. */
SrKernelAccess sr_kernel_memory_copy(const SrKernels *k, SrRef r);
/* The largest power of two that divides x; 0 for 0. */
static inline uint32_t sr_kernel_memory_low_bit(uint32_t x) {
  return x & (~x + 1);
}
/* The bytes, up to 4, of the elements that a copy may copy one by one. */
uint32_t sr_kernel_memory_copy_unit(const SrKernelAccess *a);
/* Is it a pointer that is made of an address (kernel_address.h)? */
bool sr_kernel_memory_has_address(const SrModule *m, uint32_t id);

#endif
