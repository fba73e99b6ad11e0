/* SPDX-License-Identifier: Apache-2.0 */
/* flow_oracle_pc: minpc, stackless and jip directly by their definition. Every lane has a PC and a
 * call depth. Under minpc and stackless all lanes are searched for the least, each time; under jip
 * the subgroup has an IP, too, which goes from JOIN to JOIN until it is that of a lane. */
#ifndef FLOW_ORACLE_PC_H
#define FLOW_ORACLE_PC_H

#include "tests/emu/flow_run.h"

extern const EmuPolicy flow_oracle_minpc, flow_oracle_stackless, flow_oracle_jip;

#endif
