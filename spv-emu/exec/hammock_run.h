/* SPDX-License-Identifier: Apache-2.0 */
/* hammock_run: runs the arms of a hammock (hammock.h) without asking the policy. Results and counts are
 * those of running the arms block by block. */
#ifndef EMU_HAMMOCK_RUN_H
#define EMU_HAMMOCK_RUN_H

#include "spv-emu/exec/exec.h"

/* Runs the lanes of the first `targets` of e->targets, which have just left the header of `h`, through
 * the arms until all of them are at the join. If no lane has a fault, the lanes then stay together
 * (EmuExec.stays) with lanes.block at the join. */
void emu_hammock_run(EmuExec *e, const EmuHammock *h, uint32_t targets);

#endif
