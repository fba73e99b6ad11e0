/* SPDX-License-Identifier: Apache-2.0 */
/* check_kind: the kind of an instruction, which decides how the checker evaluates it. */
#ifndef SR_CHECK_KIND_H
#define SR_CHECK_KIND_H

#include "ir/module.h"

typedef enum SrCheckKind {
  SR_CHECK_SKIP,   /* labels, merges, debug lines */
  SR_CHECK_HASH,   /* computes from its operands alone */
  SR_CHECK_READ,   /* computes from its operands and memory */
  SR_CHECK_EFFECT, /* part of the trace; so is every unknown instruction */
  SR_CHECK_UNDEF,
  SR_CHECK_VARIABLE,
  /* computed, on numbers */
  SR_CHECK_COPY,   /* any type */
  SR_CHECK_SELECT, /* any type */
  SR_CHECK_SPLAT,  /* a vector of booleans from booleans */
  SR_CHECK_PARTS,  /* a vector from components (check_parts.h) */
  SR_CHECK_LANES,  /* a vector from vectors, component by component */
  SR_CHECK_PART,   /* a vector's component */
  SR_CHECK_NARROW, /* converts a hash to fewer bits */
  SR_CHECK_WIDEN,  /* converts a hash to more bits */
  SR_CHECK_ADD,
  SR_CHECK_SUB,
  SR_CHECK_AND, /* bitwise, or of booleans */
  SR_CHECK_OR,  /* of booleans */
  SR_CHECK_NOT, /* of a boolean */
  SR_CHECK_ZERO_EXTEND,
  SR_CHECK_SIGN_EXTEND, /* this and SR_CHECK_ZERO_EXTEND also truncate */
  SR_CHECK_EQUAL,       /* of integers, or of booleans */
  SR_CHECK_NOT_EQUAL,
  SR_CHECK_ULESS,
  SR_CHECK_ULESS_EQUAL,
  SR_CHECK_SLESS,
  SR_CHECK_SLESS_EQUAL,
  SR_CHECK_UGREATER,
  SR_CHECK_UGREATER_EQUAL,
  SR_CHECK_SGREATER,
  SR_CHECK_SGREATER_EQUAL,
} SrCheckKind;

/* 1: a boolean; 8 to 64: an integer of that many bits; 0: anything else. `type` may be 0. */
unsigned sr_check_width(const SrModule *m, uint32_t type);
/* The type of an id's value, or 0. */
uint32_t sr_check_type_of(const SrModule *m, uint32_t id);

/* Is the type a vector of booleans? */
bool sr_check_is_bools(const SrModule *m, uint32_t type);
/* The number of components of a vector type if it has at most 16, the most in OpenCL; 0 for other
 * types: values of longer vectors are hashes. */
uint32_t sr_check_components(const SrModule *m, uint32_t type);

/* The kind of an instruction of a block, not a phi and not a terminator. The caller has to find out
 * whether a load reads memory decorated Volatile. */
SrCheckKind sr_check_kind(const SrModule *m, SrRef r);

#endif
