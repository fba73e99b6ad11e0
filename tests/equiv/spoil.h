/* SPDX-License-Identifier: Apache-2.0 */
/* spoil: plants one error in a module, like a broken transform. */
#ifndef EQUIV_SPOIL_H
#define EQUIV_SPOIL_H

#include "tests/equiv/gen/rng.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum SpoilKind {
  SPOIL_SIDES,      /* the two targets of a branch are swapped */
  SPOIL_NEGATE,     /* the condition of a branch is negated */
  SPOIL_TARGET,     /* an edge leads to another block */
  SPOIL_CASE,       /* a case of a switch has another literal */
  SPOIL_ARM,        /* a case of a switch leads where another one, or the default, does */
  SPOIL_LEAVE,      /* a block returns early */
  SPOIL_PHI,        /* two operands of a phi are swapped */
  SPOIL_JOINED,     /* an operand of a phi is replaced by another value in scope */
  SPOIL_OPERAND,    /* an operand is replaced by another value of the type */
  SPOIL_CONSTANT,   /* an operand is replaced by another constant */
  SPOIL_OPCODE,     /* an addition becomes a subtraction, a comparison becomes its opposite */
  SPOIL_SELECT,     /* the operands of a select are swapped */
  SPOIL_COPY,       /* an instruction of copied code has a different operand */
  SPOIL_VALUE,      /* a function returns another value */
  SPOIL_ARGUMENT,   /* two arguments of a call are swapped */
  SPOIL_DROP,       /* a store is missing */
  SPOIL_TWICE,      /* a store replaces the next one */
  SPOIL_REPEAT,     /* a store, an atomic or a call runs twice */
  SPOIL_ORDER,      /* two stores change places */
  SPOIL_BARRIER,    /* a store or an atomic moves across a barrier */
  SPOIL_SCOPE,      /* an atomic or a barrier has another scope, or other semantics */
  SPOIL_DECORATION, /* a value loses a decoration */
  SPOIL_KINDS
} SpoilKind;

extern const char *const spoil_names[SPOIL_KINDS];

typedef struct SpoilModule {
  uint32_t *words; /* allocated with emit_resize; may move */
  size_t count;
  uint32_t own_from; /* ids from here on were added by transforms */
} SpoilModule;

/* Plants an error; false: there is nothing to change in that way, and the module is as it was. */
bool spoil(SpoilKind kind, SpoilModule *m, Rng *rng);

#endif
