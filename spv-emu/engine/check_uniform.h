/* SPDX-License-Identifier: Apache-2.0 */
/* check_uniform: checks at run time that values which the analysis has proven uniform are the same
 * in all lanes. */
#ifndef EMU_CHECK_UNIFORM_H
#define EMU_CHECK_UNIFORM_H

#include "spv-emu/engine/engine.h"

/* Records a fault that names value x, unless row a, of kind `list`, is the same in all active
 * lanes. */
void emu_check_uniform(EmuLanes *s, const EmuIns *i);

#endif
