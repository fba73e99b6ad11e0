/* SPDX-License-Identifier: Apache-2.0 */
/* engine: faults and notes of a subgroup (engine.h). */
#include "spv-emu/engine/engine.h"

#include <stdarg.h>
#include <stdio.h>

/* Keeps the first fault, which replaces a note; without a fault, the first note. */
static void keep(EmuLanes *s, uint32_t lane, bool stop, const char *format, va_list list) {
  if (s->fault.stop || (!stop && s->fault.text[0]))
    return;
  s->fault.stop = stop;
  vsnprintf(s->fault.text, sizeof s->fault.text, format, list);
  s->fault.block = s->block;
  s->fault.inst = s->inst;
  s->fault.lane = lane;
}

void emu_fault(EmuLanes *s, uint32_t lane, const char *format, ...) {
  va_list list;
  va_start(list, format);
  keep(s, lane, true, format, list);
  va_end(list);
}

void emu_dropped(EmuLanes *s, uint32_t lane, const char *format, ...) {
  s->counts.out_of_bounds++;
  va_list list;
  va_start(list, format);
  keep(s, lane, s->strict, format, list);
  va_end(list);
  s->inst = 0;
}
