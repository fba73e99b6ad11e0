/* SPDX-License-Identifier: Apache-2.0 */
/* local_slots: the variables that local_flow follows, their slots, and which of them an access
 * reads or writes. A variable's slots are the members of its struct, and of the structs in it, up
 * to 32; other objects, and structs with more members, are one slot. */
#ifndef SR_LOCAL_SLOTS_H
#define SR_LOCAL_SLOTS_H

#include "passes/analysis/uniform/memory_cells.h"
#include "passes/analysis/uniform/rows.h"

typedef struct SrLocalSlots {
  const SrModule *m;
  const SrMemory *memory;
  const uint32_t *function_at; /* by id of OpFunction: its index; SR_NONE */
  uint8_t *width;              /* by id of a type: its number of slots; 0: one */
  SrRows parameters;           /* by index of a function: ids of its parameters */
  SrBits *written;             /* by id of a parameter: its function may store through it */
  SrBits *not_followed;        /* by cell */
} SrLocalSlots;

typedef struct SrLocalPlace {
  uint32_t root;         /* the variable or parameter */
  uint32_t first, count; /* of its slots */
  bool whole;            /* the access reads or writes all of these slots, not a part of one */
} SrLocalPlace;

/* `starts`, by index of a function: an entry point that nothing calls. `not_followed` is made in
 * `longer`, the rest in `arena`. */
SrLocalSlots *sr_local_slots_build(SrArena *arena, SrArena *longer, const SrModule *m,
                                   const SrMemory *memory, const uint32_t *function_at,
                                   const SrBits *starts);
/* The slots that a pointer points to; false: the variable is not followed. */
bool sr_local_place(const SrLocalSlots *slots, uint32_t pointer, SrLocalPlace *out);

#endif
