/* SPDX-License-Identifier: Apache-2.0 */
/* barrier_program: a program for convergence barriers, as GPUs of Nvidia have had them since Volta
 * (Diamos et al., Execution of divergent threads using a convergence barrier, US patent 10,067,768;
 * Abaie Shoushtary, Tubella and Gonzalez, Control Flow Management in Modern GPUs, arXiv
 * 2407.02944).
 *
 *   BSSY B, %R   the active lanes join barrier B, whose BSYNC comes before block R
 *   BSYNC B      lanes of B wait until every lane of B waits here, has yielded or has ended. Then
 *                no lane is in B any more, and those that waited continue together. Lanes that are
 *                not in B pass
 *   BREAK B      the active lanes leave B, which may release lanes that wait
 *   YIELD        the active lanes yield until they run next: no lane waits for them, and another
 *                group of lanes runs
 *   WARPSYNC     lanes wait until all lanes that have not ended are here
 *   BMOV         moves a register whose barrier has no register of its own (a spill)
 *   MOV ESC, d   records for each lane the scope that it is headed for; BRA.ESC d, L: lanes whose
 *                scope is outside of scope d continue at L (two instructions: ISETP, BRA)
 *
 * A barrier has one of 16 registers, or is spilled. Several barriers may share a register if no
 * lane needs two of them at once. docs/barriers.md says which of this is documented and which is
 * assumed. */
#ifndef EMU_BARRIER_PROGRAM_H
#define EMU_BARRIER_PROGRAM_H

#include "passes/base/text.h"
#include "spv-emu/policy/policy.h"

enum { EMU_BARRIER_REGISTERS = 16 };

typedef enum EmuBarrierOp {
  EMU_BARRIER_BODY, /* a block's instructions */
  EMU_BARRIER_BSSY,
  EMU_BARRIER_BSYNC,
  EMU_BARRIER_BREAK,
  EMU_BARRIER_YIELD,
  EMU_BARRIER_WARPSYNC,
  EMU_BARRIER_BMOV,
  EMU_BARRIER_ESCAPE, /* MOV ESC */
  EMU_BARRIER_TEST,   /* BRA.ESC */
  EMU_BARRIER_BRANCH, /* a block's end: arms */
  EMU_BARRIER_CALL,   /* a block's end */
  EMU_BARRIER_END,    /* a block's end: return, or the end of the lanes */
  EMU_BARRIER_GO,     /* continues at `to`; for the layout only, not issued */
} EmuBarrierOp;

typedef struct EmuBarrierInst {
  uint8_t op;
  uint32_t bar;       /* BSSY, BSYNC, BREAK, BMOV: barrier; ESCAPE, TEST: depth of a scope, SR_NONE
                         for none */
  uint32_t block;     /* BODY: the block; CALL: the callee's entry */
  uint32_t to;        /* TEST, GO, CALL: index of an instruction */
  uint32_t back;      /* CALL: where the lanes continue after it */
  uint32_t arm, arms; /* BRANCH: in `arms`, by ascending block */
} EmuBarrierInst;

typedef struct EmuBarrierArm {
  uint32_t block; /* target */
  uint32_t to;    /* index of an instruction */
  uint32_t rank;  /* position in the order in which arms run: 0, 1, … */
} EmuBarrierArm;

typedef struct EmuBarrier {
  uint32_t reg;   /* register; EMU_BARRIER_REGISTERS or more: spilled */
  uint32_t twin;  /* number of earlier barriers that share the register */
  uint32_t point; /* the block that its BSYNC comes before */
} EmuBarrier;

/* Which of the groups of lanes that are ready runs. */
typedef enum EmuBarrierScheduling {
  EMU_BARRIER_LIFO,        /* the one that was ready last */
  EMU_BARRIER_ROUND_ROBIN, /* the groups alternate, block by block */
  EMU_BARRIER_OLDEST,      /* the one that has been ready longest, until it waits or diverges */
} EmuBarrierScheduling;

/* Blocks are numbered as in the program. */
typedef struct EmuBarriers {
  EmuBarrierScheduling scheduling;
  bool mixes; /* lanes of different iterations of a loop may run together */
  SR_VEC(EmuBarrierInst) code;
  SR_VEC(EmuBarrierArm) arms;
  SR_VEC(EmuBarrier) all;
  uint32_t *label; /* by block: its BODY; SR_NONE: the entry does not reach it */
  uint32_t *first; /* by function: its first instruction */
  uint32_t *comes; /* by block after a call: where lanes that return there continue; else SR_NONE */
  uint32_t start;  /* where lanes start */
} EmuBarriers;

/* The program as text (barrier_dump.c). */
void emu_barriers_print(const EmuBarriers *barriers, const EmuBlockTable *table, SrText *text);

/* Reads the text back, perhaps edited: instructions between bodies may be added, removed and moved
 * (barrier_read.c). In `arena`; NULL: the text is wrong, and *why says where. */
EmuBarriers *emu_barriers_read(SrArena *arena, const EmuBlockTable *table, const char *text,
                               const char **why);

/* The block that lanes run next if they continue at instruction `at`. */
uint32_t emu_barriers_block(const EmuBarriers *barriers, uint32_t at);

#endif
