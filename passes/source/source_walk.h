/* SPDX-License-Identifier: Apache-2.0 */
/* source_walk: where the instructions of a block come from in the shader's source.
 *
 *   SrSourceWalk walk = sr_source_walk(source);
 *   for (SR_EACH(m, r, block->list))
 *     place = sr_source_step(&walk, r);
 *
 * OpLine and DebugLine apply to the instructions after them, up to the next OpLine or DebugLine,
 * OpNoLine or DebugNoLine, or the block's end; a DebugScope, up to the next DebugScope or
 * DebugNoScope, or the block's end. Compilers write line 0 where an instruction has no line. */
#ifndef SR_SOURCE_WALK_H
#define SR_SOURCE_WALK_H

#include "passes/source/source_map.h"

typedef struct SrSourceWalk {
  SrSource *source;
  SrSourcePlace place; /* of the next instruction that is not a debug instruction */
} SrSourceWalk;

/* A walk that begins at the start of a block's list, or of a function's head. */
SrSourceWalk sr_source_walk(SrSource *source);
/* The place of r, the walk's next instruction. If r is a debug instruction, the place has no
 * meaning. */
SrSourcePlace sr_source_step(SrSourceWalk *walk, SrRef r);

/* What a debug instruction says of the instructions after it. */
typedef enum SrSourceMark {
  SR_MARK_OTHER, /* nothing, or it is not a debug instruction */
  SR_MARK_LINE,
  SR_MARK_NO_LINE,
  SR_MARK_SCOPE,
  SR_MARK_NO_SCOPE
} SrSourceMark;

SrSourceMark sr_source_mark(const SrModule *m, SrRef r);

/* Finds the debug instructions before r, in its list, that give r its line and its scope; SR_NONE:
 * none. A transform that moves r to the start of another block must repeat them there. */
void sr_source_applied(const SrModule *m, SrRef r, SrRef *line, SrRef *scope);

/* Walks all functions. Afterwards the map no longer changes, so threads may share it. */
void sr_source_read_all(SrSource *source);

/* The first instruction of the list that r is in. Linear in the number of instructions before r. */
SrRef sr_source_start(const SrModule *m, SrRef r);
/* The place of an instruction; SR_SOURCE_NOWHERE: it is in no function. Costs as much as
 * sr_source_start. */
SrSourcePlace sr_source_at(SrSource *source, SrRef r);

#endif
