/* SPDX-License-Identifier: Apache-2.0 */
/* engine: the state of a subgroup that instructions run on. */
#ifndef EMU_ENGINE_H
#define EMU_ENGINE_H

#include "passes/base/compiler.h"
#include "spv-emu/engine/bytecode.h"

/* Counts that do not follow from how often each block ran (metrics.h); summed over subgroups. */
typedef struct EmuCounts {
  uint64_t memory_issues, memory_transactions; /* of buffers */
  uint64_t image_issues, image_transactions;
  uint64_t attachment_issues, attachment_transactions;
  uint64_t out_of_bounds; /* accesses of a lane that were dropped */
  uint64_t quad_breaks;   /* quads that took a derivative without all their lanes */
} EmuCounts;

/* The first fault, for the message; if there is none, the first note. */
typedef struct EmuFault {
  bool stop;      /* the run ends with status `fault`; false: the text is only a note */
  char text[256]; /* the message, without the place; empty: nothing yet */
  uint32_t block; /* in program->blocks */
  uint32_t inst;  /* its SPIR-V instruction; 0: not known */
  uint32_t lane;
} EmuFault;

/* The set of places in buffers that the current memory instruction touches; transactions.h. */
typedef struct EmuSeen {
  uint64_t *at;   /* slots of two words: a place, and the stamp of the instruction that added it */
  uint32_t room;  /* slots, a power of two; 0: none yet */
  uint32_t count; /* places of this instruction */
  uint32_t used;  /* slots in use */
  uint64_t stamp, last;
  uint64_t oldest; /* slots with an older stamp are free */
  /* Only while lanes are packed into subgroups other than their own (exec/regroup.h): */
  const uint16_t *pack; /* by lane: its pack; NULL: lanes are not packed */
  uint32_t packs;
  uint64_t first; /* the stamp of pack 0 */
} EmuSeen;

typedef struct EmuLanes {
  uint8_t *file;          /* the register file */
  uint32_t width;         /* lanes per row, at least `size` */
  uint32_t size;          /* lanes of a subgroup, whether or not they have an invocation */
  uint32_t words;         /* words of a mask */
  EmuMask on;             /* the active lanes */
  const uint32_t *on_row; /* a row, 0 or ~0 by lane: the lanes that moves write; inside a block
                             these are the lanes in `on`, on an edge the lanes that take it */
  EmuMask exist;          /* lanes with an invocation */
  EmuMask yes;            /* lanes, active or not, for which the last comparison held */
  const EmuProgram *program;
  EmuSegment *segments;     /* the program's segments, with buffers bound; this worker's own copy */
  uint8_t *shared;          /* memory of the workgroup */
  struct EmuImages *images; /* resource.h */
  uint32_t segment_shift;   /* log2 of the bytes that one memory transaction moves */
  bool strict;              /* an access out of bounds is a fault */
  bool mixed;               /* lanes in different iterations may run together (EmuPolicy.mixes) */
  bool shared_by_threads;   /* other threads may use the buffers: atomics must be atomic */
  uint32_t block;           /* the running block, in program->blocks */
  uint32_t inst; /* the SPIR-V instruction whose access is dropped, for the message; 0: not known */
  EmuCounts counts;
  EmuFault fault;
  struct EmuRaces *races;     /* race.h; NULL: races are not looked for */
  struct EmuBreach *breaches; /* by program->demands (breach.h); NULL: no rules are checked */
  uint64_t subgroup;          /* of the dispatch; for breaches and tangles */
  const struct spv_emu_tangles *tangles; /* takes reports (tangle.h); NULL: no one does */
  struct EmuTimeline *timeline; /* records loads (timeline.h); NULL: they are not recorded */
  struct EmuShaderClock *clock; /* shader_clock.h; NULL: the program does not read it */
  EmuSeen *seen;  /* zero at first; grows as needed; free with emu_seen_free. Subgroups whose lanes
                     are packed together share it */
  EmuMask helper; /* for fragments: lanes that run only for their quad (subgroup/quad.h) */
  EmuMask shown;  /* the value of `on` while the helper lanes are hidden from an instruction */
} EmuLanes;

/* A row of the subgroup by its byte offset. */
#define EMU_ROW(s, T, at) ((T *)(void *)((s)->file + (at)))

/* Records a fault, unless there is one; printf-like. */
void emu_fault(EmuLanes *s, uint32_t lane, const char *format, ...) SR_PRINTF(3, 4);
/* An access of a lane was dropped: counts it and records a note, or, if s->strict, a fault. */
void emu_dropped(EmuLanes *s, uint32_t lane, const char *format, ...) SR_PRINTF(3, 4);

#endif
