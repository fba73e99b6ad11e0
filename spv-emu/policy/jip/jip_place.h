/* SPDX-License-Identifier: Apache-2.0 */
/* jip_place: where `jip` has JOINs, and where JOINs and GOTOs lead if they enable no lane (their
 * JIP).
 *
 * They are placed as Intel's compiler does (intel-graphics-compiler, visa/FlowGraph.cpp,
 * processGoto): one sweep over the blocks in layout order keeps a set of active joins, the blocks
 * ahead at which lanes may wait. A block in the set gets a JOIN and leaves the set; its JIP, and
 * that of every block's branch, is the next block in the set. The sweep adds
 *
 *   - at a divergent branch, all targets but the least. They are in the set from the branch's
 *     block or, if a back edge leads to the least target, from that target, because the subgroup
 *     runs there while the others wait;
 *   - at the target of a back edge, the block after the edge's source. JIPs inside the loop lead
 *     there, and from there to the joins further ahead, where lanes that have left the loop wait;
 *   - at any other forward branch over a join, the target, since lanes may stop at the join.
 *     Without a join in between, the branch is a jump (JMPI) and its target needs no JOIN.
 *
 * So lanes wait only at joins, and wherever the subgroup is, its JIPs lead through all of them in
 * layout order. Cost O(E log V). */
#ifndef EMU_JIP_PLACE_H
#define EMU_JIP_PLACE_H

#include "spv-emu/policy/block_table.h"

typedef struct EmuJips {
  bool *join;      /* by block: does it start with a JOIN? */
  uint32_t *empty; /* by block with a JOIN: the block that is its JIP; SR_NONE: none */
  uint32_t *leave; /* by block: the JIP of its branch; SR_NONE: none */
  bool *jump;      /* by block: its lanes go to one target, before the JIP */
  bool edited;     /* read back: lanes may meet wherever the listing lets them */
} EmuJips;

/* A program of `blocks` blocks without JOINs and JIPs. */
EmuJips *emu_jips_new(SrArena *arena, uint32_t blocks);
const EmuJips *emu_jips_place(SrArena *arena, const EmuBlockTable *table);
/* The program as text (jip_dump.c). */
void emu_jips_print(const EmuJips *jips, const EmuBlockTable *table, SrText *text);
/* Reads the text back, perhaps edited (jip_read.c). NULL: *why says what is wrong, in `arena`. */
const EmuJips *emu_jips_read(SrArena *arena, const EmuBlockTable *table, const char *text,
                             const char **why);

#endif
