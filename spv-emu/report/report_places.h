/* SPDX-License-Identifier: Apache-2.0 */
/* report_places: which subgroups of a dispatch the page shows.
 *
 * These are, of each run, the subgroup that wastes most, and others at equal distances, so that
 * wherever a reader points there is one near. All runs show the same places. A place is the number
 * of an invocation, the first one of its subgroup; where subgroups have several sizes, the larger
 * ones begin only at some of the places. */
#ifndef EMU_REPORT_PLACES_H
#define EMU_REPORT_PLACES_H

#include "spv-emu/report/report_recording.h"

/* Sets the places of each recorded dispatch, EMU_RECORDED_DISPATCHES of them, after all runs have
 * been tallied. */
void emu_places_choose(const EmuRecording *runs, uint32_t count, EmuRecordedPlaces *places);

#endif
