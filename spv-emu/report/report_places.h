/* SPDX-License-Identifier: Apache-2.0 */
/* report_places: which subgroups of a dispatch the page shows.
 *
 * The page shows the subgroup that wastes most in each run, and others at equal distances, so that
 * one is near wherever a reader points. All runs show the same places. A place is the number of an
 * invocation, the first one of its subgroup; where subgroups have several sizes, the larger ones
 * begin only at some of the places. */
#ifndef EMU_REPORT_PLACES_H
#define EMU_REPORT_PLACES_H

#include "spv-emu/report/report_recording.h"

/* Sets the places of each recorded dispatch, EMU_RECORDED_DISPATCHES of them, after all runs have
 * been tallied. */
void emu_places_choose(const EmuRecording *runs, uint32_t count, EmuRecordedPlaces *places);

#endif
