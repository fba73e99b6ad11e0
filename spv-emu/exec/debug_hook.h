/* SPDX-License-Identifier: Apache-2.0 */
/* debug_hook: what the executor asks a debugger. */
#ifndef EMU_DEBUG_HOOK_H
#define EMU_DEBUG_HOOK_H

#include <stdbool.h>
#include <stdint.h>

struct EmuExec;

typedef struct EmuDebugHook {
  void *user;
  /* A subgroup starts: nothing of it has run. */
  void (*begin)(void *user, struct EmuExec *e);
  /* The running lanes are before instruction e->step of their block's steps. False: the run
   * ends. */
  bool (*issue)(void *user, struct EmuExec *e);
  /* The subgroup has ended; `failure`: it can not go on, and why. NULL: its lanes have ended. */
  void (*end)(void *user, struct EmuExec *e, const char *failure);
} EmuDebugHook;

#endif
