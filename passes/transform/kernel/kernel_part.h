/* SPDX-License-Identifier: Apache-2.0 */
/* kernel_part: a value with more than four components, in parts of four. */
#ifndef SR_KERNEL_PART_H
#define SR_KERNEL_PART_H

#include "passes/transform/kernel/kernel_intern.h"

enum { SR_KERNEL_PART = 4 /* components */ };

typedef struct SrParts {
  SrKernels *k;
  SrIdTable *part_of; /* by id of a value of the kernel: the id of its first part; the others
                         follow */
} SrParts;

/* Has the type, or a value, more than four components? */
bool sr_kernel_part_wide(const SrModule *m, uint32_t type);
bool sr_kernel_part_has(const SrModule *m, uint32_t id);
/* The parts of such a type, and their type. */
uint32_t sr_kernel_part_count(const SrModule *m, uint32_t type);
uint32_t sr_kernel_part_type(SrKernels *k, uint32_t type);
/* The id of components 4 * i to 4 * i + 3 of a value whose parts are known: it is constant or
 * undefined, or in the table. */
uint32_t sr_kernel_part(SrParts *w, uint32_t id, uint32_t i);
bool sr_kernel_part_known(const SrParts *w, uint32_t id);

#endif
