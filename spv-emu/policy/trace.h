/* SPDX-License-Identifier: Apache-2.0 */
/* trace: a policy that runs another one, and reports each step that operates on the stack, and the
 * depth of the stack after every issue. */
#ifndef EMU_TRACE_H
#define EMU_TRACE_H

#include "policy/policy.h"

#include <spv-emu/spv_emu.h>

typedef struct EmuTrace {
  const EmuPolicy *policy; /* the one that is run */
  spv_emu_trace *to;
} EmuTrace;

/* Replaces table->trace->policy; the executor must run in one thread. */
extern const EmuPolicy emu_policy_traced;

#endif
