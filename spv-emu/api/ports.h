/* SPDX-License-Identifier: Apache-2.0 */
/* ports: the inputs and outputs of a graphics stage, by location, for callers. */
#ifndef EMU_PORTS_H
#define EMU_PORTS_H

#include "spv-emu/engine/program.h"

/* Sets e->ports: the inputs, then the outputs. `names`: by id, NULL: none. */
void emu_ports_list(spv_emu_program *e, const char *const *names);

#endif
