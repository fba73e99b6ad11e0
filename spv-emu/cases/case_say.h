/* SPDX-License-Identifier: Apache-2.0 */
/* case_say: one line of an error, in the caller's memory. */
#ifndef EMU_CASE_SAY_H
#define EMU_CASE_SAY_H

#include "passes/base/compiler.h"

#include <stdbool.h>
#include <stddef.h>

/* Where the message goes. */
typedef struct EmuSay {
  char *text;
  size_t size;
} EmuSay;

/* Writes the message; returns false. */
SR_PRINTF(2, 3) bool emu_say_wrong(EmuSay say, const char *format, ...);

#endif
