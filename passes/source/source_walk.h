/* SPDX-License-Identifier: Apache-2.0 */
/* source_walk: the place in the source of each instruction of a block.
 *
 *   SrSourceWalk walk = sr_source_walk(source);
 *   for (SR_EACH(m, r, block->list))
 *     place = sr_source_step(&walk, r);
 *
 * OpLine and DebugLine apply to the instructions after them, up to the next one, OpNoLine or
 * DebugNoLine, or the block's end; DebugScope likewise. Compilers write line 0 for no line. */
#ifndef SR_SOURCE_WALK_H
#define SR_SOURCE_WALK_H

#include "source/source_map.h"

typedef struct SrSourceWalk {
  SrSource *source;
  SrSourcePlace place; /* of the next instruction that is not a debug instruction */
} SrSourceWalk;

/* Begins a walk at the beginning of a block's list, or of a function's head. */
SrSourceWalk sr_source_walk(SrSource *source);
/* The place of the walk's next instruction. For a debug instruction it has no meaning. */
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

/* The instructions before r, in its list, that say which line and which scope apply to it; SR_NONE:
 * none. To be repeated where r begins another block. */
void sr_source_applied(const SrModule *m, SrRef r, SrRef *line, SrRef *scope);

/* Walks all functions: after that the map does not change any more, so that threads may share it.
 */
void sr_source_read_all(SrSource *source);

/* The first instruction of the list that r is in. Linear in the instructions before it. */
SrRef sr_source_start(const SrModule *m, SrRef r);
/* The place of an instruction; SR_SOURCE_NOWHERE: it is in no function. The same cost. */
SrSourcePlace sr_source_at(SrSource *source, SrRef r);

#endif
