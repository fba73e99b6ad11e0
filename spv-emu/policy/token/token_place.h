/* SPDX-License-Identifier: Apache-2.0 */
/* token_place: a program for the token stack: SSY, predicated branches, `.S` carriers, PBK and BRK,
 * PCNT and CONT placed in the control flow, as a compiler for such hardware places them (Białas and
 * Strzelecki, Benchmarking the cost of thread divergence in CUDA, PPAM 2015, section III and
 * listing 3; PBK and BRK after Coon et al., US patent 8,312,254, and Coon and Lindholm, US patent
 * 7,353,369).
 *
 * Every region (token_region.h) has one token. The instruction that pushes it is at the end of the
 * block that leads into the region, or, if that block also leads to other places, on the edge:
 *
 *   SSY R    lanes reconverge at R: an edge out of the region goes to R's carrier, NOP.S, which
 *            pops. A divergent branch pushes a DIV token for each side but one
 *   PBK R    the same for a block to which several branches leave a cycle: an edge out is BRK,
 *            which makes lanes inactive until the token is popped, and pushes nothing
 *   PCNT R   the same for a cycle's continue target; an edge out is CONT
 *
 *   A: B C          A:      …               @P BRA: the lanes for the first arm continue, for each
 *   B: D                    SSY D           other arm a token is pushed
 *   C: D                    @P BRA B, C
 *   D:              B:      …
 *                           BRA D.sync
 *                   C:      …
 *                           BRA D.sync
 *                   D.sync: NOP.S
 *                   D:      …
 *
 * The first arm is the block's first target, except at a branch that leaves a cycle. If only that
 * branch may diverge, the first arm is the side that stays, so that lanes that leave wait on the
 * stack (listing 3 of the paper); else it is the side that leaves, so that the leaving lanes are
 * off the stack before the others continue. A switch has an arm for each target.
 *
 * Uniform branches need no tokens. Functions that have cycles with several entries are refused:
 * there is no edge on which a token could be pushed. */
#ifndef EMU_TOKEN_PLACE_H
#define EMU_TOKEN_PLACE_H

#include "passes/base/text.h"
#include "spv-emu/policy/token/token_region.h"

typedef enum EmuTokenOp {
  EMU_TOKEN_BODY,   /* a block's instructions */
  EMU_TOKEN_PUSH,   /* SSY, PBK, PCNT: by the kind of its region */
  EMU_TOKEN_BRANCH, /* a block's end: arms */
  EMU_TOKEN_CALL,   /* a block's end: pushes a token that leads to `to` */
  EMU_TOKEN_END,    /* a block's end: return, or the lanes end */
  EMU_TOKEN_SYNC,   /* NOP.S: pops */
  EMU_TOKEN_GO,     /* continues at `to`; for the layout only, not issued */
} EmuTokenOp;

typedef struct EmuTokenInst {
  uint8_t op;
  uint8_t kind;       /* PUSH, and BRANCH with arms that leave: EmuRegionKind */
  uint32_t block;     /* BODY: the block; PUSH, SYNC: the point; CALL: the callee's entry */
  uint32_t to;        /* PUSH: where lanes continue after the pop; CALL, GO: the target */
  uint32_t arm, arms; /* BRANCH: in `arms`, by ascending block */
} EmuTokenInst;

typedef struct EmuTokenArm {
  uint32_t block; /* target */
  uint32_t to;    /* instruction; SR_NONE: BRK or CONT */
  uint32_t rank;  /* the order in which arms run: 0, 1, … */
} EmuTokenArm;

/* Blocks are numbered as in the program. */
typedef struct EmuTokens {
  SR_VEC(EmuTokenInst) code;
  SR_VEC(EmuTokenArm) arms;
  uint32_t *label; /* by block: its BODY; SR_NONE: the entry does not reach it */
  uint32_t *first; /* by function: its first instruction */
  uint32_t *entry; /* by function: where lanes enter */
} EmuTokens;

/* Places tokens for the whole program, in `arena`; NULL: they cannot be placed, and *why is the
 * reason. */
EmuTokens *emu_tokens_place(SrArena *arena, const EmuBlockTable *table, const char **why);

/* The program as text (token_dump.c). */
void emu_tokens_print(const EmuTokens *tokens, const EmuBlockTable *table, SrText *text);

/* By EmuRegionKind: "SSY", "PBK", "PCNT"; "SYNC", "BRK", "CONT". */
const char *emu_push_name(uint32_t kind);
const char *emu_leave_name(uint32_t kind);

/* The block that lanes run next if they continue at instruction `at`. */
uint32_t emu_tokens_block(const EmuTokens *tokens, uint32_t at);

#endif
