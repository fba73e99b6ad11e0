/* SPDX-License-Identifier: Apache-2.0 */
/* ports: what a graphics stage takes and gives, for callers: its inputs and outputs by location. */
#ifndef EMU_PORTS_H
#define EMU_PORTS_H

#include "spv-emu/engine/program.h"

/* Sets e->ports: the inputs, then the outputs. `names`: by id, NULL: none. */
void emu_ports_list(spv_emu_program *e, const char *const *names);

#endif
