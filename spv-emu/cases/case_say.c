/* SPDX-License-Identifier: Apache-2.0 */
/* case_say: see case_say.h. */
#include "spv-emu/cases/case_say.h"

#include <stdarg.h>
#include <stdio.h>

bool emu_say_wrong(EmuSay say, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(say.text, say.size, format, arguments);
  va_end(arguments);
  return false;
}
