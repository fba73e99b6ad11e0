/* SPDX-License-Identifier: Apache-2.0 */
/* subgroup: communication between lanes: votes, ballots, shuffles, reductions and scans.
 *
 * A handler reads and writes only the active lanes, s->on. Values that SPIR-V leaves undefined are
 * 0 here: a value taken from a lane that is inactive or does not exist, the position of the lowest
 * bit if none is set, and so on.
 *
 * Ballots are four rows of EMU_U32 for 128 lanes. The decoder records their use (program->ballots),
 * and larger subgroups are then refused. Source: SPIR-V 1.6, "Group Instructions" and "Non-Uniform
 * Instructions"; SPV_KHR_shader_ballot, SPV_KHR_subgroup_vote, SPV_KHR_subgroup_rotate,
 * SPV_KHR_uniform_group_instructions, SPV_AMD_shader_ballot, SPV_NV_shader_subgroup_partitioned. */
#ifndef EMU_SUBGROUP_H
#define EMU_SUBGROUP_H

#include "spv-emu/engine/engine.h"

/* The handler for one component of the instruction. `kind`: the kind of the value; EMU_BOOL for the
 * predicate of a vote or of Ballot; any for an instruction that takes a ballot. `group_operation`:
 * 0 if the opcode has no such operand. NULL: there is no such instruction. The table shows what the
 * handler expects in the members of EmuIns (engine/bytecode.h); empty: not used.
 *
 *   opcode                       d       a      b           list           x
 *   Elect                        bool
 *   All, Any                     bool    bool
 *   AllEqual                     bool                       x components   components
 *   Broadcast, ReadInvocation    value   value  lane
 *   BroadcastFirst               value   value
 *   OpGroupBroadcast             value   value              x coordinates  1 to 3
 *   Shuffle…, QuadBroadcast      value   value  lane, mask, delta, index
 *   Rotate                       value   value  delta                      cluster, or 0
 *   Ballot                               bool               4 written
 *   InverseBallot, FindLSB/MSB,
 *   BallotBitCount               result                     4
 *   BallotBitExtract             bool           index       4
 *   Partition                                               4 written, x   components
 *                                                           components
 *   arithmetic, bitwise, logical value   value                             clustered: size
 *     partitioned                value   value              4
 *
 * Indices, masks, deltas and numbers read from a ballot are rows of EMU_U32. OpGroup…, KHR, AMD and
 * NonUniform opcodes with the same meaning share a handler. QuadSwap has no handler: the decoder
 * emits a ShuffleXor with the mask direction + 1. */
EmuHandler *emu_lanes_find(SpvOp op, EmuKind kind, uint32_t group_operation);

/* Is the SpvBuiltIn a mask of lanes (SubgroupEqMask and similar)? A program that uses one must have
 * program->ballots set. */
bool emu_is_ballot_builtin(uint32_t builtin);

#endif
