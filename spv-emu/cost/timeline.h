/* SPDX-License-Identifier: Apache-2.0 */
/* timeline: when a subgroup issues and when it waits, in its own cycles; recorded while it runs, so
 * that the latency model can replay it together with other subgroups (latency.h).
 *
 * Waiting changes when things happen, not what happens. So subgroups still run one after the other,
 * and the model decides afterwards which of them would have had the issue port. A record is a
 * string of bytes: a number of cycles of issuing, then the *moment* that ends them, and so on until
 * END. The moments:
 *
 *   WAIT     a wait for the stack, and its cycles
 *   LOAD     a load or an atomic on buffers, and, if a cache is modelled, the memory segments that
 *            it touched, in the order of lanes
 *   BARRIER  until all subgroups of the workgroup have arrived
 *   PART     the end of a strand, if another follows
 *   END
 *
 * Numbers are stored with 7 bits in each byte, the lowest bits first; a segment as the difference
 * from the one before it in the strand.
 *
 * If the model interleaves the groups of a subgroup, a record consists of *strands*: sequences of
 * blocks that the same lanes ran. A strand leads to the strands that its lanes ran next. */
#ifndef EMU_TIMELINE_H
#define EMU_TIMELINE_H

#include "passes/base/vec.h"
#include "spv-emu/cost/shader_clock.h"
#include "spv-emu/engine/lanes.h"

typedef enum EmuMoment {
  EMU_MOMENT_WAIT,
  EMU_MOMENT_LOAD,
  EMU_MOMENT_BARRIER,
  EMU_MOMENT_PART,
  EMU_MOMENT_END,
} EmuMoment;

typedef struct EmuStrand {
  uint32_t offset; /* in the record */
  uint32_t loads;  /* loads of the subgroup before the strand */
  uint32_t before; /* number of strands that lead to it */
  uint32_t next; /* start, in EmuRecord.next, of the strands that it leads to; they end where those
                    of the next strand start */
} EmuStrand;

typedef struct EmuStrandEdge {
  uint32_t from, to;
} EmuStrandEdge;

typedef struct EmuRecord {
  const uint8_t *bytes;
  uint32_t size;            /* of everything here */
  const EmuStrand *strands; /* the strands, and one more, whose `next` is the end */
  const uint32_t *next;
  uint32_t strand_count; /* 0: the record is one strand */
} EmuRecord;

typedef struct EmuTimeline {
  SrArena *arena;
  EmuShaderClock clock;
  uint64_t noted; /* the part of clock.issued that is in the record */
  uint64_t last;  /* the last segment in the record */
  SR_VEC(uint8_t) record;
  SR_VEC(uint64_t) touched; /* segments of the current memory instruction */
  /* Only if there are strands: */
  uint32_t lanes;   /* of a subgroup; 0: no strands */
  uint32_t loads;   /* number so far */
  EmuMask on;       /* lanes of the last strand */
  uint32_t *strand; /* by lane: its last strand, or SR_NONE */
  SR_VEC(EmuStrand) strands;
  SR_VEC(EmuStrandEdge) edges;
} EmuTimeline;

enum { EMU_TIMELINE_MOST = 1 << 28 }; /* maximum bytes of a subgroup's record */

/* Begins the record of a new subgroup. */
void emu_timeline_start(EmuTimeline *t);
/* Records that a block is issued, for the lanes of `on`, which only strands need. */
void emu_timeline_block(EmuTimeline *t, uint32_t block, const EmuMask *on);
/* Records that the subgroup, after what it has issued, waits for its stack. */
void emu_timeline_wait(EmuTimeline *t, uint64_t cycles);
/* Records a load by SPIR-V instruction `inst` of the current block, which touched `segments`
 * segments. */
void emu_timeline_load(EmuTimeline *t, SrRef inst, uint32_t segments);
void emu_timeline_barrier(EmuTimeline *t, SrRef inst);
/* Returns a copy of the record in the arena; the timeline is then ready for another subgroup. */
EmuRecord emu_timeline_end(EmuTimeline *t);

static inline bool emu_timeline_is_full(const EmuTimeline *t) {
  return t->record.count + (uint64_t)t->strands.count * sizeof *t->strands.at +
             (uint64_t)t->edges.count * sizeof *t->edges.at >
         EMU_TIMELINE_MOST;
}

/* The current memory instruction touches a segment; `first`: its first one. */
void emu_timeline_touch(EmuTimeline *t, uint64_t segment, bool first);

/* ---- reading a record ------------------------------------------------------------------------ */

typedef struct EmuReplay {
  const uint8_t *at;
  uint64_t segment;
} EmuReplay;

/* Reads the next moment. *run: the cycles of issuing before it. *count: the cycles of a wait, or
 * the number of segments of a load, which emu_replay_segment returns one by one. */
EmuMoment emu_replay_next(EmuReplay *r, uint64_t *run, uint64_t *count);
uint64_t emu_replay_segment(EmuReplay *r);

#endif
