/* SPDX-License-Identifier: Apache-2.0 */
/* spoil: plants one error in a module, like a broken transform. */
#ifndef EQUIV_SPOIL_H
#define EQUIV_SPOIL_H

#include "rng.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum SpoilKind {
  SPOIL_SIDES,   /* the two targets of a branch are swapped */
  SPOIL_TARGET,  /* an edge leads to another block */
  SPOIL_PHI,     /* two operands of a phi are swapped */
  SPOIL_OPERAND, /* an operand is replaced by another value of the type */
  SPOIL_OPCODE,  /* an addition becomes a subtraction, a comparison becomes its opposite */
  SPOIL_DROP,    /* a store is missing */
  SPOIL_TWICE,   /* a store occurs twice: it replaces the next one */
  SPOIL_CASE,    /* a case of a switch has another literal */
  SPOIL_DEFAULT, /* the default and a case of a switch are swapped */
  SPOIL_RETURN,  /* a block returns early */
  SPOIL_KINDS
} SpoilKind;

extern const char *const spoil_names[SPOIL_KINDS];

/* Changes `words` in place; false: there is nothing to change in that way. */
bool spoil(SpoilKind kind, uint32_t *words, size_t count, Rng *rng);

#endif
