/* SPDX-License-Identifier: Apache-2.0 */
/* debug_view: the scalars of a value or a variable, and how they are written.
 * */
#ifndef EMU_DEBUG_VIEW_H
#define EMU_DEBUG_VIEW_H

#include "spv-emu/debug/debug_state.h"

/* Scalars of one type: of a value or of a variable, or a part of these. */
typedef struct EmuView {
  const EmuDebugVariable *variable; /* NULL: a value */
  uint32_t source; /* 1 + index in d->variables, whose value in the lane it is; 0: it is `id` */
  uint32_t id;     /* of the value or variable */
  uint32_t type;   /* of an element, if it is a range */
  uint64_t first;  /* number of the first scalar */
  bool range;      /* elements `from` to `to` of an array */
  uint64_t from, to;
  uint32_t descriptor; /* of an array of these */
} EmuView;

/* Finds the names of the members of structs. */
void emu_debug_name_members(EmuDebugger *d);
/* The name of a struct's member; NULL: it has none. */
const char *emu_debug_member(const EmuDebugger *d, uint32_t type, uint32_t member);
const EmuDebugType *emu_debug_type(const EmuDebugger *d, uint32_t type);
/* The number of elements of an array, vector or matrix; of a run-time array, as many as its
 * buffer has. */
uint64_t emu_view_elements(const EmuDebugger *d, const EmuView *v);
/* Does each lane have values of its own? */
bool emu_view_is_by_lane(const EmuDebugger *d, const EmuView *v);
/* Has the lane computed the value? */
bool emu_view_is_computed(const EmuDebugger *d, const EmuView *v, uint32_t lane);
/* Appends the value that the lane has. */
void emu_view_write(EmuDebugger *d, const EmuView *v, uint32_t lane, SrText *to);

#endif
