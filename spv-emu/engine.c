#include "engine.h"

#include <stdarg.h>
#include <stdio.h>

void emu_fault(EmuLanes *s, uint32_t lane, const char *format, ...) {
  s->fault.stop = true;
  if (s->fault.text[0])
    return;
  va_list list;
  va_start(list, format);
  vsnprintf(s->fault.text, sizeof s->fault.text, format, list);
  va_end(list);
  s->fault.block = s->block;
  s->fault.lane = lane;
}
