/* SPDX-License-Identifier: Apache-2.0 */
/* shader_clock: the cycles that a subgroup has taken so far under a cost model: those of its issues and those
 * of its stack. The waits for memory are not among them, since they are only known after the run
 * (latency.h). OpReadClockKHR reads it. */
#ifndef EMU_SHADER_CLOCK_H
#define EMU_SHADER_CLOCK_H

#include "spv-emu/cost/cost.h"
#include "spv-emu/cost/policy_counts.h"
#include "spv-emu/engine/bytecode.h"

typedef struct EmuShaderClock {
  const EmuCost *cost;
  const EmuPolicyCounts *counts; /* of the subgroup's policy: what it issues besides blocks */
  uint64_t begun;                /* cycles of issuing before the current block */
  uint64_t issued;               /* cycles of issuing up to the end of the current block */
  uint64_t added;                /* the part of counts->added that is in `issued` */
  uint64_t stack;                /* cycles of the stack so far */
} EmuShaderClock;

/* Begins with a new subgroup, at cycle 0. */
void emu_shader_clock_start(EmuShaderClock *c);
/* Adds what the policy has issued since the last call, except carriers that are part of the cost of
 * a branch. */
void emu_shader_clock_add(EmuShaderClock *c);
/* A block is issued. */
void emu_shader_clock_block(EmuShaderClock *c, uint32_t block);

/* OpReadClockKHR, the instruction x: the cycles after it, as 64 bits, or their lower or upper 32. */
EmuHandler emu_shader_clock_read, emu_shader_clock_low, emu_shader_clock_high;

#endif
