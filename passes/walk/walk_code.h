/* SPDX-License-Identifier: Apache-2.0 */
/* walk_code: a function decoded for walks: arrays without pointers into the module. */
#ifndef SR_WALK_CODE_H
#define SR_WALK_CODE_H

#include "passes/base/map.h"
#include "passes/walk/walk_kind.h"
#include "passes/walk/walk_module.h"

/* Does an instruction access one of the transforms' variables: one that they added, or dropped? */
typedef enum SrWalkAccess { SR_WALK_NO_ACCESS, SR_WALK_LOADS, SR_WALK_STORES } SrWalkAccess;

typedef struct SrWalkInst {
  uint64_t hash;    /* of opcode, result type, literals, decorations; for the kinds EFFECT, HASH and
                     * READ */
  uint32_t operand; /* the first, in SrWalkCode.operand; operands are ids */
  uint16_t count;   /* of operands */
  uint8_t kind;     /* SrWalkKind */
  uint8_t width;    /* of the result (sr_walk_width) */
  uint8_t from_width; /* of the first operand */
  uint8_t nonuniform; /* bit k: operand k is decorated NonUniform (the first eight) */
  uint32_t result;    /* id, or 0 */
  SrRef source;
  uint32_t own;   /* for one of the transforms' variables: its number, from 1 */
  uint32_t place; /* for other variables: the id whose address it has (walk_passed.h) */
  uint8_t access; /* SrWalkAccess, if there are such variables */
} SrWalkInst;

typedef enum SrWalkEnd {
  SR_WALK_JUMP,
  SR_WALK_BRANCH,  /* edge 0 if the condition holds, else edge 1 */
  SR_WALK_SWITCH,  /* edge 0 is the default, edge k > 0 has literal k */
  SR_WALK_LEAVE,   /* an effect: the block's last instruction */
  SR_WALK_NOWHERE, /* OpUnreachable */
} SrWalkEnd;

typedef struct SrWalkBlock {
  uint32_t inst, inst_count; /* without phis and, except in SR_WALK_LEAVE, the terminator */
  uint32_t phi, phi_count;   /* its phis' result ids, in SrWalkCode.phi */
  uint32_t edge, edge_count;
  uint32_t choice; /* id of the condition or selector */
  uint8_t choice_width;
  uint8_t end; /* SrWalkEnd */
  SrRef terminator;
} SrWalkBlock;

typedef struct SrWalkEdge {
  uint64_t literal;  /* for a switch */
  uint32_t from, to; /* blocks */
  uint32_t row;      /* the operands of the target's phis for this block: their ids, in
                      * SrWalkCode.operand; SR_NONE: there are none */
} SrWalkEdge;

typedef struct SrWalkCode {
  const SrWalkModule *c;
  const SrFunction *f;
  SR_VEC(SrWalkInst) inst;
  SR_VEC(uint32_t) operand, phi;
  SR_VEC(uint32_t) drawn;    /* ids of the numeric specialization constants in use */
  SR_VEC(SrWalkBlock) block; /* in the order of the function's blocks */
  SR_VEC(SrWalkEdge) edge;
  uint32_t own_count; /* the transforms' variables */
  uint32_t *inst_of;  /* by id of the module: its instruction in `inst`, or SR_NONE */
} SrWalkCode;

/* Decodes function f. `inst_of` has room for the module's ids; its entries are SR_NONE or belong to
 * other functions. Ids from `own_from` on were added by a transform; UINT32_MAX: none. `after` may
 * be NULL. If it does not define a variable of the function, a transform has dropped the variable
 * and replaced its loads by values. `place`: by id of a variable that the input has: the variable
 * whose address it shares, if it has no address of its own. */
void sr_walk_decode(SrArena *arena, const SrWalkModule *c, const SrFunction *f, uint32_t own_from,
                    const SrModule *after, const SrMap *place, uint32_t *inst_of, SrWalkCode *code);

#endif
