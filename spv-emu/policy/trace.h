/* trace: a policy that runs another and tells how long its stack is after every issue, and of every
 * step that works on the stack. */
#ifndef EMU_TRACE_H
#define EMU_TRACE_H

#include "policy/policy.h"

#include <spv-emu/spv_emu.h>

typedef struct EmuTrace {
  const EmuPolicy *policy; /* the one that is run */
  spv_emu_trace *to;
} EmuTrace;

/* In place of flow->trace->policy; the executor must run in one thread. */
extern const EmuPolicy emu_policy_traced;

#endif
