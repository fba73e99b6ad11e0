/* SPDX-License-Identifier: Apache-2.0 */
/* block_table: a program as policies see it: its blocks and functions, their graphs and the
 * priority order, but no instructions. */
#ifndef EMU_BLOCK_TABLE_H
#define EMU_BLOCK_TABLE_H

#include "passes/analysis/graph/cfg.h"
#include "passes/base/bitset.h"
#include "passes/base/text.h"
#include "spv-emu/engine/bytecode.h"

typedef struct EmuFunctionBlocks {
  uint32_t id;
  const char *name;      /* for messages; NULL: it has none */
  uint32_t first, count; /* blocks */
  const SrGraph *graph;  /* graph of its blocks, numbered from 0; a call leads to the block after
                            it */
  bool structured;
} EmuFunctionBlocks;

typedef struct EmuBlockTable {
  uint32_t count; /* blocks */
  const EmuFunctionBlocks *functions;
  uint32_t function_count, entry_function;
  const uint32_t *function; /* by block */
  const uint32_t *id;       /* by block: id of its OpLabel */
  const uint32_t *merge;    /* by block that ends in a branch: declared merge block, or SR_NONE */
  const uint32_t *cont;     /* by block: declared continue target, or SR_NONE */
  const uint32_t *callee;   /* by block that ends in a call: the function called; else SR_NONE */
  const uint32_t *next; /* by block that ends in a call: the block after the call; else SR_NONE */
  const SrGraph *graph; /* all blocks, with call and return edges instead of call to next */
  const uint32_t *priority; /* by block: its rank in the priority order, 0 first; all different */
  const uint32_t *order;    /* the blocks by descending priority */
  bool chosen_order;        /* `order` is not the default one */
  uint32_t reached;       /* number of blocks that the entry reaches; they come first in `order`. (A
                       search along the edges of `graph` also finds some blocks that no lane
                       reaches: order/call_reach.h.) */
  const uint32_t *issues; /* by block: instructions that count */
  const bool *uniform;    /* by block: its branch is proven uniform; NULL: unknown */
  const bool *stops;      /* by block: it has a workgroup's barrier; NULL: none has */
  const char *const *choices; /* of the policy: the values of its options (policy_program.h); NULL:
                                 all are NULL */
  const void *program;        /* of the policy (policy_program.h); NULL: none, or not yet made */
  const char *no_program;     /* why it cannot be made */
  const bool *polls; /* by block: it has an atomic operation or volatile load, with which lanes may
                        wait for others; NULL: none has */
  const bool *crosses;          /* by block: it has a cross-lane operation; NULL: none has */
  const bool *unreachable;      /* by block: it ends in OpUnreachable; NULL: none does */
  const struct EmuTrace *trace; /* trace.h; NULL: no trace */
} EmuBlockTable;

/* Builds everything except the priority order, in `arena`. Fails with the diag's message if the
 * program is too large. */
SR_MUST_USE SrStatus emu_block_table_build(SrArena *arena, SrDiag *diag, const EmuProgram *p,
                                           EmuBlockTable *table);
/* The function's graph for post-dominators: backwards, with a virtual exit, which is node
 * fn->count (sr_graph_reverse_with_exit). Blocks from which every path ends in OpUnreachable are left
 * out of the paths of others: no lane of a valid run takes them, and compilers drop them. */
const SrGraph *emu_block_table_backwards(SrArena *arena, const EmuBlockTable *table,
                                         const EmuFunctionBlocks *fn);
/* By block: can its lanes reach a barrier that is wider than a subgroup? */
SrBits *emu_block_table_reaches_barrier(SrArena *arena, const EmuBlockTable *table);
/* The blocks that a subgroup may run more than once if lanes reconverge only at immediate
 * post-dominators (analysis/graph/expansion.h), for each function separately. */
SrBits *emu_block_table_expansion_area(SrArena *arena, const EmuBlockTable *table);

/* "function main" or "function %4", for messages. */
void emu_function_name(const EmuFunctionBlocks *function, SrText *text);
/* Which part of its basic block the block is, from 0. */
uint32_t emu_block_part(const EmuBlockTable *table, uint32_t block);
/* "%12", or "%12+1" for the second part of the basic block, for listings. */
void emu_block_name(const EmuBlockTable *table, uint32_t block, SrText *text);

#endif
