#include "engine.h"

#include <stdarg.h>
#include <stdio.h>

static void keep(EmuLanes *s, uint32_t lane, const char *format, va_list list) {
  vsnprintf(s->fault.text, sizeof s->fault.text, format, list);
  s->fault.block = s->block;
  s->fault.lane = lane;
}

void emu_fault(EmuLanes *s, uint32_t lane, const char *format, ...) {
  if (s->fault.stop)
    return;
  s->fault.stop = true;
  va_list list;
  va_start(list, format);
  keep(s, lane, format, list);
  va_end(list);
}

void emu_note(EmuLanes *s, uint32_t lane, const char *format, ...) {
  if (s->fault.stop || s->fault.text[0])
    return;
  va_list list;
  va_start(list, format);
  keep(s, lane, format, list);
  va_end(list);
}
