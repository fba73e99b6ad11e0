/* SPDX-License-Identifier: Apache-2.0 */
/* debug_state: what the files of the debugger share.
 *
 *   debugger.c       the hook: when to stop
 *   debug_command.c  the commands
 *   debug_place.c    lines, blocks and instructions; breakpoints
 *   debug_name.c     from a name to the value or variable that has it
 *   debug_view.c     the scalars of a value, and how they are written
 *   debug_print.c    values of all lanes
 *   debug_lanes.c    where lanes are, and why they wait
 *   debug_trace.c    --trace-values */
#ifndef EMU_DEBUG_STATE_H
#define EMU_DEBUG_STATE_H

#include "passes/base/text.h"
#include "spv-emu/debug/debugger.h"
#include "spv-emu/engine/debug_info.h"

typedef struct EmuBreak {
  uint32_t number;     /* 0: deleted */
  SR_VEC(uint32_t) at; /* steps of the program (EmuProgram.steps) */
} EmuBreak;

typedef enum EmuResume {
  EMU_RESUME_RUN,    /* to the next breakpoint */
  EMU_RESUME_ISSUE,  /* to the next issue */
  EMU_RESUME_LINE,   /* to the next line */
  EMU_RESUME_NEXT,   /* the same, but not inside calls */
  EMU_RESUME_FINISH, /* until the lanes have returned */
} EmuResume;

/* Where a step by lines began. */
typedef struct EmuOrigin {
  const EmuExec *e; /* NULL: any subgroup */
  uint32_t step;    /* of the program */
  uint32_t depth;   /* calls around it */
  EmuMask lanes;
} EmuOrigin;

typedef struct EmuAssigned { /* a DebugValue */
  uint32_t step;             /* the step of the program before which it takes effect */
  uint32_t name;             /* index in `variables` */
  uint32_t id;               /* of the value */
  uint32_t order;            /* among those of its step, the last one counts */
} EmuAssigned;

/* A variable of the source whose values are SSA values. */
typedef struct EmuSourceVariable {
  const char *name;
  uint32_t function; /* in program->functions */
} EmuSourceVariable;

/* Where an SSA value is computed. */
typedef struct EmuDefined {
  uint32_t block; /* in program->blocks; SR_NONE: in no block */
  uint32_t steps; /* how many steps of the block have begun then */
} EmuDefined;

/* What is known of a subgroup that has not ended. */
typedef struct EmuSubgroup {
  EmuExec *e;
  uint64_t issue;  /* instructions that it has issued */
  EmuMask *ran;    /* by block: lanes that have run it to its end */
  uint32_t *value; /* by source variable * lanes + lane: id of its value; 0: none yet */
  char **last;     /* by traced name * lanes + lane: its text in the last row; NULL: none */
  uint32_t *room;  /* of these texts */
} EmuSubgroup;

struct EmuDebugger {
  SrArena *arena, own, scratch; /* `arena` is `own`; scratch: of a command */
  const spv_emu_program *program;
  const EmuProgram *p;
  const EmuBlockTable *table;
  const EmuPolicy *policy;
  const spv_emu_debug *to;
  EmuDebugHook hook;
  const char **names;         /* by id: of functions, variables and values; NULL: none */
  const EmuDefined *defined;  /* by id */
  const char ***members;      /* by id of a struct: names of its members, or NULL */
  const SrSourcePlace *place; /* by step of the program */
  const uint32_t *block_of;   /* by step: in program->blocks */
  SrText out;                 /* what a command prints */
  /* the run */
  EmuExec *e;       /* the subgroup that is asked about; NULL: none has begun */
  EmuSubgroup *sub; /* the same */
  bool detached;    /* there are no more commands: no more stops */
  bool quit;
  EmuResume resume;
  uint64_t repeat; /* further steps before the stop */
  EmuOrigin origin;
  uint64_t only;   /* the subgroup in which to stop; UINT64_MAX: any */
  uint32_t frame;  /* whose names are meant, 0 for the innermost one of the first running lane */
  uint32_t listed; /* the last line that `list` has shown; 0: none */
  SR_VEC(EmuBreak) breaks;
  SR_VEC(EmuAssigned) assigned; /* by step */
  SR_VEC(EmuSourceVariable) variables;
  SR_VEC(EmuSubgroup) subgroups;
};

/* The step of the program before which the running lanes are. */
static inline uint32_t emu_debug_step(const EmuDebugger *d) {
  return d->p->steps_of[d->e->lanes.block].first + d->e->step;
}

#endif
