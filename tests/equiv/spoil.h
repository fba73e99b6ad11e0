/* spoil: plants one error in a module, as a broken transform could. */
#ifndef EQUIV_SPOIL_H
#define EQUIV_SPOIL_H

#include "rng.h"

#include <stdbool.h>
#include <stddef.h>

typedef enum SpoilKind {
  SPOIL_SIDES,   /* the two ways of a branch change places */
  SPOIL_TARGET,  /* an edge leads to another block */
  SPOIL_PHI,     /* two operands of a phi change places */
  SPOIL_OPERAND, /* an operand is another value of the type */
  SPOIL_OPCODE,  /* an addition subtracts, a comparison is the opposite */
  SPOIL_DROP,    /* a store is gone */
  SPOIL_TWICE,   /* a store is there twice: in place of the one after it */
  SPOIL_CASE,    /* a case of a switch has another literal */
  SPOIL_DEFAULT, /* the default and a case of a switch change places */
  SPOIL_RETURN,  /* a block returns early */
  SPOIL_KINDS
} SpoilKind;

extern const char *const spoil_names[SPOIL_KINDS];

/* Changes `words` in place; false where there is nothing to change in that way. */
bool spoil(SpoilKind kind, uint32_t *words, size_t count, Rng *rng);

#endif
