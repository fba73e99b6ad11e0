/* SPDX-License-Identifier: Apache-2.0 */
/* flow_oracle: maximal reconvergence directly by its definition: every lane has a key, the list of
 * (place, iteration) of the loops around it from the outermost in; inside a call the list continues
 * after the calling block's place. */
#ifndef FLOW_ORACLE_H
#define FLOW_ORACLE_H

#include "tests/emu/flow_run.h"

extern const EmuPolicy flow_oracle_maximal;

#endif
