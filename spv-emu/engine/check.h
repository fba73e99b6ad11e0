/* SPDX-License-Identifier: Apache-2.0 */
/* check: checks at run time what the uniformity analysis has proven. */
#ifndef EMU_CHECK_H
#define EMU_CHECK_H

#include "engine/engine.h"

/* Row a, of kind `list`, must be the same in all lanes that are on; else a fault that names value
 * x. */
void emu_check_uniform(EmuLanes *s, const EmuIns *i);

#endif
