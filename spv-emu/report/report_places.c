/* SPDX-License-Identifier: Apache-2.0 */
/* report_places: see report_places.h. */
#include "spv-emu/report/report_places.h"

enum { SPREAD = 64, MAIN = 4 /* of SPREAD */ };

/* Inserts a place, in order, unless it is there. */
static void add(EmuRecordedPlaces *places, uint64_t invocation, bool main) {
  uint32_t at = 0;
  while (at < places->count && places->at[at].invocation < invocation)
    at++;
  if (at < places->count && places->at[at].invocation == invocation) {
    places->at[at].main |= main;
    return;
  }
  if (places->count == EMU_PLACES_MOST)
    return;
  for (uint32_t i = places->count++; i > at; i--)
    places->at[i] = places->at[i - 1];
  places->at[at] = (EmuRecordedPlace){.invocation = invocation, .main = main};
}

/* At equal distances: number i of n is subgroup i * all / n. Of a few, all. */
static void add_spread(EmuRecordedPlaces *places, const EmuRecordedDispatch *d) {
  uint64_t count = d->all < SPREAD ? d->all : SPREAD;
  for (uint64_t i = 0; i < count; i++)
    add(places, i * d->all / count * d->lanes, count <= MAIN || i % (count / MAIN) == 0);
}

/* `lanes` of the largest subgroups are those that all runs can be compared by. */
static void choose(const EmuRecording *runs, uint32_t count, uint32_t dispatch,
                   EmuRecordedPlaces *places) {
  uint32_t lanes = 1;
  for (uint32_t i = 0; i < count; i++)
    if (dispatch < runs[i].count && runs[i].dispatches[dispatch].lanes > lanes)
      lanes = runs[i].dispatches[dispatch].lanes;
  *places = (EmuRecordedPlaces){0};
  for (uint32_t i = 0; i < count; i++) {
    const EmuRecordedDispatch *d = &runs[i].dispatches[dispatch];
    uint64_t worst;
    if (dispatch >= runs[i].count)
      continue;
    if (d->lanes == lanes || d->all <= SPREAD)
      add_spread(places, d);
    if (!emu_tally_worst(&d->tally, d->lanes, &worst))
      continue;
    add(places, worst * d->lanes, true);
    add(places, worst * d->lanes / lanes * lanes, true); /* where all runs have a subgroup */
  }
}

void emu_places_choose(const EmuRecording *runs, uint32_t count, EmuRecordedPlaces *places) {
  for (uint32_t i = 0; i < EMU_RECORDED_DISPATCHES; i++)
    choose(runs, count, i, &places[i]);
}
