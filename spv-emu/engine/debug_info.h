/* SPDX-License-Identifier: Apache-2.0 */
/* debug_info: where a debugger finds values at run time. Made only for programs that are loaded to
 * be debugged (spv_emu_load_options.debug): there every value has rows of its own, and no
 * instruction is fused, moved or dropped. */
#ifndef EMU_DEBUG_INFO_H
#define EMU_DEBUG_INFO_H

#include "spv-emu/engine/bytecode.h"

/* A scalar of an SSA value. */
typedef struct EmuScalar {
  uint32_t row; /* EMU_NO_ROW: nothing uses the value, so it is not computed */
  uint8_t kind; /* EmuKind */
} EmuScalar;

typedef struct EmuScalars {
  uint32_t first, count; /* in EmuDebugInfo.scalars */
} EmuScalars;

/* A variable, a parameter of a kernel, or what a parameter of a function points to. Its scalars are numbered in the order of their types: the
 * first `leaf_count` have places of their own, those of a run-time array at the end repeat
 * `tail_count` places. */
typedef struct EmuDebugVariable {
  uint32_t id, storage_class;
  uint32_t type;        /* of the pointee; of an array of descriptors: of one of them */
  uint32_t descriptors; /* 0: it is no array of descriptors */
  bool image;           /* an image or sampler: it has no scalars */
  bool too_large;       /* to be shown: it has no scalars */
  uint32_t segment;     /* of the first descriptor */
  uint32_t pointer; /* row with the address that each lane has; EMU_NO_ROW: the segment has it */
  uint32_t leaf, leaf_count, tail, tail_count; /* in EmuDebugInfo.leaves */
  uint64_t tail_at, tail_stride;               /* bytes */
} EmuDebugVariable;

/* A type, for names of members and elements and for how its scalars are written. */
typedef struct EmuDebugType {
  uint16_t op; /* SpvOpType…; SpvOpNop: the id is not a type */
  uint32_t element;
  uint32_t count;      /* elements or members */
  uint32_t components; /* scalars of a value; 0 for a run-time array */
} EmuDebugType;

typedef struct EmuDebugInfo {
  const EmuDebugType *types; /* by id */
  const EmuScalars *values;  /* by id */
  uint32_t bound;            /* ids below this */
  SR_VEC(EmuScalar) scalars;
  SR_VEC(EmuDebugVariable) variables;
  SR_VEC(EmuLeaf) leaves;
} EmuDebugInfo;

#endif
