/* SPDX-License-Identifier: Apache-2.0 */
/* walk_value: the value of an id on a walk.
 *
 * Integers of up to 64 bits and booleans are numbers (an integer's bits, with zeros above them);
 * everything else is a hash. In the input, a number also records its origin (SrWalkNode), so
 * that the search can change that number. */
#ifndef SR_WALK_VALUE_H
#define SR_WALK_VALUE_H

#include <stdbool.h>
#include <stdint.h>

/* Do all components of a vector of booleans have one value, and which? */
typedef enum SrWalkSplat { SR_SPLAT_NO, SR_SPLAT_FALSE, SR_SPLAT_TRUE } SrWalkSplat;

typedef struct SrWalkValue {
  uint64_t a;      /* the number, or the hash */
  uint64_t narrow; /* for a hash that a widening made: the hash of the narrow value, or 0 */
  uint32_t epoch;  /* the walk that set it */
  union {
    uint32_t node;         /* for a number: index of its origin in the walk's `node`; 0: unknown */
    uint32_t narrow_parts; /* for a widened vector: `parts` of the narrow one */
  };
  bool drawn;        /* a number that was drawn, or computed from drawn ones */
  bool undefined;    /* the input allows any value for it; the output must not depend on it */
  uint8_t raw : 1;   /* a component of a vector of which only the hash is known: `a` is a hash */
  uint8_t splat : 2; /* SrWalkSplat */
  uint8_t marks;     /* number of NonUniform operands that went into it, at most 255; booleans, a
                        vector's parts and effects do not pass it on */
  union {
    uint32_t parts; /* for a vector: its first component in the walk's `part`; 0: only a hash */
    uint32_t own;   /* for a pointer to one of the transforms' variables: its number, from 1 */
  };
} SrWalkValue;

/* The origin of a number: drawn for a term, or computed from two others. */
typedef struct SrWalkNode {
  uint64_t term, x, y; /* the term, or the numbers of the operands */
  uint32_t x_node, y_node;
  uint8_t kind;              /* SrWalkKind; SR_WALK_HASH: drawn */
  uint8_t width, from_width; /* of the result, of the operands */
} SrWalkNode;

/* The epoch of values at module level, which are valid on all walks. */
#define SR_WALK_ALWAYS UINT32_MAX

/* One step of a hash: multiply, rotate, multiply. It need not be cryptographic. */
static inline uint64_t sr_walk_mix(uint64_t h, uint64_t x) {
  h ^= x * 0x9e3779b97f4a7c15u;
  h = (h << 29 | h >> 35) * 0xbf58476d1ce4e5b9u;
  return h ^ h >> 32;
}

/* The bits of an integer type; `width` 1 is a boolean. */
static inline uint64_t sr_walk_mask(unsigned width) {
  return width >= 64 ? UINT64_MAX : ((uint64_t)1 << width) - 1;
}

static inline int64_t sr_walk_signed(uint64_t bits, unsigned width) {
  unsigned above = 64 - width;
  return (int64_t)(bits << above) >> above;
}

#endif
