/* SPDX-License-Identifier: Apache-2.0 */
/* walk_kind: the kind of an instruction, which decides how the checker evaluates it. */
#ifndef SR_WALK_KIND_H
#define SR_WALK_KIND_H

#include "passes/ir/module.h"

typedef enum SrWalkKind {
  SR_WALK_SKIP,   /* labels, merges, debug lines */
  SR_WALK_HASH,   /* computes from its operands alone */
  SR_WALK_READ,   /* computes from its operands and memory */
  SR_WALK_EFFECT, /* part of the trace; so is every unknown instruction */
  SR_WALK_UNDEF,
  SR_WALK_VARIABLE,
  /* computed, on numbers */
  SR_WALK_COPY,   /* any type */
  SR_WALK_SELECT, /* any type */
  SR_WALK_SPLAT,  /* a vector of booleans from booleans */
  SR_WALK_PARTS,  /* a vector from components (walk_parts.h) */
  SR_WALK_LANES,  /* a vector from vectors, component by component */
  SR_WALK_PART,   /* a vector's component */
  SR_WALK_NARROW, /* converts a hash to fewer bits */
  SR_WALK_WIDEN,  /* converts a hash to more bits */
  SR_WALK_ADD,
  SR_WALK_SUB,
  SR_WALK_AND, /* bitwise, or of booleans */
  SR_WALK_OR,  /* of booleans */
  SR_WALK_NOT, /* of a boolean */
  SR_WALK_ZERO_EXTEND,
  SR_WALK_SIGN_EXTEND, /* this and SR_WALK_ZERO_EXTEND also truncate */
  SR_WALK_EQUAL,       /* of integers, or of booleans */
  SR_WALK_NOT_EQUAL,
  SR_WALK_ULESS,
  SR_WALK_ULESS_EQUAL,
  SR_WALK_SLESS,
  SR_WALK_SLESS_EQUAL,
  SR_WALK_UGREATER,
  SR_WALK_UGREATER_EQUAL,
  SR_WALK_SGREATER,
  SR_WALK_SGREATER_EQUAL,
} SrWalkKind;

/* 1: a boolean; 8 to 64: an integer of that many bits; 0: anything else. `type` may be 0. */
unsigned sr_walk_width(const SrModule *m, uint32_t type);
/* The type of an id's value, or 0. */
uint32_t sr_walk_type_of(const SrModule *m, uint32_t id);

/* Is the type a vector of booleans? */
bool sr_walk_is_bools(const SrModule *m, uint32_t type);
/* The number of components of a vector type if it has at most 16, the most in OpenCL; 0 for other
 * types: values of longer vectors are hashes. */
uint32_t sr_walk_components(const SrModule *m, uint32_t type);

/* The kind of an instruction of a block, not a phi and not a terminator. The caller has to find out
 * whether a load reads memory decorated Volatile. */
SrWalkKind sr_walk_kind(const SrModule *m, SrRef r);

#endif
