/* SPDX-License-Identifier: Apache-2.0 */
/* trace: a policy that runs another policy, and reports each step that operates on the stack, the
 * depth of the stack after every issue, and the groups of lanes before every block. */
#ifndef EMU_TRACE_H
#define EMU_TRACE_H

#include "spv-emu/policy/policy.h"

#include <spv-emu/spv_emu.h>

typedef struct EmuTrace {
  const EmuPolicy *policy; /* the policy that is run */
  spv_emu_trace *to;
} EmuTrace;

/* Replaces `policy`, which is table->trace->policy; the executor must run in one thread. */
EmuPolicy emu_policy_trace(const EmuPolicy *policy);

#endif
