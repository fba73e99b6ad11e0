/* SPDX-License-Identifier: Apache-2.0 */
/* wave: a wave-level program: what a wave (a subgroup with one program counter) runs instead of a
 * control-flow graph, modeled on GCN's instruction set.
 *
 * The active lanes are a mask register, EXEC. Divergent branches have become arithmetic on masks;
 * only uniform conditions branch. A program is a list of instructions, one function after the
 * other, and labels in it:
 *
 *   mask instructions   dst = a op b, on EXEC, VCC, rejoin masks, 0
 *   branches            on EXEC being empty, on SCC (a uniform condition), by a table, always
 *   bodies              one block of the module, or one of the parts into which calls cut it:
 *                       its instructions run for the lanes in EXEC. Then VCC holds those of the
 *                       lanes that go to the block's primary successor, and SCC says whether the
 *                       branch goes to its first target
 *
 * A body that ends in a branch with several targets is followed by the instructions that implement
 * that branch. The machine keeps the return address of a call. */
#ifndef SR_WAVE_H
#define SR_WAVE_H

#include "passes/ir/module.h"

typedef enum SrWaveOp {
  SR_WAVE_BODY,
  /* mask instructions; masks are as wide as a wave: the b64 in the names is only GCN's */
  SR_WAVE_MOV,   /* s_mov_b64      dst = a */
  SR_WAVE_AND,   /* s_and_b64      dst = a & b */
  SR_WAVE_ANDN2, /* s_andn2_b64    dst = a & ~b */
  SR_WAVE_OR,    /* s_or_b64       dst = a | b */
  /* branches */
  SR_WAVE_EXECZ,  /* s_cbranch_execz   if EXEC is empty */
  SR_WAVE_EXECNZ, /* s_cbranch_execnz */
  SR_WAVE_SCC0,   /* s_cbranch_scc0    if SCC is 0 */
  SR_WAVE_SCC1,   /* s_cbranch_scc1 */
  SR_WAVE_BRANCH, /* s_branch */
  SR_WAVE_TABLE,  /* s_branch_table    the distinct targets of an OpSwitch, in order */
  SR_WAVE_CALL,   /* s_swappc_b64      to a function */
  SR_WAVE_RETURN, /* s_setpc_b64 */
  SR_WAVE_END,    /* s_endpgm */
  SR_WAVE_OPS
} SrWaveOp;

/* Operands of mask instructions; rejoin masks are numbers from 0. */
#define SR_WAVE_EXEC (SR_NONE - 1)
#define SR_WAVE_VCC (SR_NONE - 2)
#define SR_WAVE_ZERO (SR_NONE - 3)

typedef struct SrWaveInst {
  uint8_t op;             /* SrWaveOp */
  uint32_t dst, a, b;     /* mask instructions; a MOV has no b */
  SrRef first, last;      /* bodies: their instructions, with the call or terminator last */
  uint32_t target, count; /* branches: the first of their labels in wave->targets, how many */
  uint32_t block, part;   /* bodies: id of the OpLabel, number of the part */
  uint32_t primary;       /* bodies: id of the primary successor; 0: the branch does not diverge */
  uint32_t line;          /* line in the listing that was read; 0: it was not read */
} SrWaveInst;

typedef struct SrWaveLabel {
  uint32_t id;    /* id of the OpLabel, or OpFunction, that it is named after */
  uint32_t place; /* index of the instruction after it */
  uint8_t kind;   /* SrWaveLabelKind */
} SrWaveLabel;

typedef enum SrWaveLabelKind {
  SR_WAVE_AT_BLOCK,    /* @12: where a block begins */
  SR_WAVE_AT_FLOW,     /* @flow12: where the lanes of block 12's rejoin mask join */
  SR_WAVE_AT_END,      /* @end3: where function 3 ends without lanes */
  SR_WAVE_AT_FUNCTION, /* @function3 */
  SR_WAVE_LABELS
} SrWaveLabelKind;

typedef struct SrWaveFunction {
  uint32_t index; /* in the module */
  uint32_t first; /* its first instruction, where lanes enter */
  uint32_t masks, first_mask;
  uint32_t most_masks; /* the largest number of masks in which lanes can wait at the same time */
} SrWaveFunction;

typedef struct SrWave {
  SrArena *arena;
  SR_VEC(SrWaveInst) code;
  SR_VEC(SrWaveLabel) labels;
  SR_VEC(uint32_t) targets; /* labels, by index */
  SR_VEC(SrWaveFunction) functions;
  uint32_t masks; /* rejoin masks of all functions */
} SrWave;

static inline bool sr_wave_is_mask_op(const SrWaveInst *i) {
  return i->op >= SR_WAVE_MOV && i->op <= SR_WAVE_OR;
}
static inline bool sr_wave_is_branch(const SrWaveInst *i) {
  return i->op >= SR_WAVE_EXECZ;
}
/* Can control never reach the next instruction directly? A call returns. */
static inline bool sr_wave_ends_flow(const SrWaveInst *i) {
  return i->op == SR_WAVE_BRANCH || i->op == SR_WAVE_TABLE || i->op == SR_WAVE_RETURN ||
         i->op == SR_WAVE_END;
}

#endif
