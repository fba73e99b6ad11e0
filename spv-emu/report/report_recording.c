/* SPDX-License-Identifier: Apache-2.0 */
/* report_recording: see report_recording.h. */
#include "spv-emu/report/report_recording.h"

#include "spv-emu/report/grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { LANES_A_WORD = 64, FIRST_ROOM = 64 };

/* ---- recording ------------------------------------------------------------------------------- */

static uint64_t *mask_at(const EmuRecordedDispatch *d, const EmuRecorded *s, uint32_t i) {
  return &s->masks[(size_t)i * d->words];
}

static uint32_t slot_of(const EmuRecordedDispatch *d, const EmuRecorded *s, const uint64_t *lanes) {
  size_t bytes = d->words * sizeof *lanes;
  uint32_t slot = (uint32_t)XXH64(lanes, bytes, 0) & (s->index_room - 1);
  while (s->index[slot] && memcmp(mask_at(d, s, s->index[slot] - 1), lanes, bytes) != 0)
    slot = (slot + 1) & (s->index_room - 1);
  return slot;
}

/* Keeps the index at most half full. */
static bool grow_index(const EmuRecordedDispatch *d, EmuRecorded *s) {
  if (2 * (s->mask_count + 1) <= s->index_room)
    return true;
  uint32_t room = s->index_room ? 2 * s->index_room : FIRST_ROOM;
  uint32_t *index = calloc(room, sizeof *index);
  if (!index)
    return false;
  free(s->index);
  s->index = index;
  s->index_room = room;
  for (uint32_t i = 0; i < s->mask_count; i++)
    index[slot_of(d, s, mask_at(d, s, i))] = i + 1;
  return true;
}

/* The number of a set of lanes; false: out of memory. */
static bool find_mask(const EmuRecordedDispatch *d, EmuRecorded *s, const uint64_t *lanes,
                      uint32_t *at) {
  void *masks = s->masks;
  bool room = emu_grow(&masks, &s->mask_room, s->mask_count + 1ull, d->words * sizeof *lanes);
  s->masks = masks;
  if (!room || !grow_index(d, s))
    return false;
  uint32_t slot = slot_of(d, s, lanes);
  if (!s->index[slot]) {
    memcpy(mask_at(d, s, s->mask_count), lanes, d->words * sizeof *lanes);
    s->index[slot] = ++s->mask_count;
  }
  *at = s->index[slot] - 1;
  return true;
}

/* Keeps the instructions of a part, for the bins. */
static bool keep_issues(EmuRecorded *s, uint32_t part, uint32_t count) {
  void *issues = s->issues;
  bool room = emu_grow(&issues, &s->issue_room, part + 1ull, sizeof *s->issues);
  s->issues = issues;
  if (room)
    s->issues[part] = count;
  return room;
}

static bool keep(const EmuRecordedDispatch *d, EmuRecorded *s, uint32_t part, uint32_t count,
                 const uint64_t *lanes) {
  uint32_t mask = count;
  void *steps = s->steps;
  bool room = emu_grow(&steps, &s->room, s->count + 1ull, sizeof *s->steps);
  s->steps = steps;
  if (!room ||
      (part != SPV_EMU_NO_PART && !(find_mask(d, s, lanes, &mask) && keep_issues(s, part, count))))
    return false;
  s->steps[s->count++] = (EmuRecordedStep){part, mask};
  return true;
}

static void drop_steps(EmuRecorded *s) {
  free(s->steps);
  free(s->masks);
  free(s->index);
  free(s->issues);
  s->steps = NULL;
  s->masks = NULL;
  s->index = NULL;
  s->issues = NULL;
}

void emu_recording_to_bins(EmuRecordedDispatch *d, EmuRecorded *s) {
  s->bins = emu_bins_new(d->lanes);
  bool good = s->bins;
  for (uint32_t i = 0; good && i < s->count; i++) {
    const EmuRecordedStep *step = &s->steps[i];
    bool own = step->part == SPV_EMU_NO_PART;
    good = emu_bins_add(s->bins, step->part, own ? step->mask : s->issues[step->part],
                        own ? NULL : mask_at(d, s, step->mask));
  }
  s->out_of_memory = s->out_of_memory || !good;
  drop_steps(s);
}

/* ---- callbacks ------------------------------------------------------------------------------- */

EmuRecordedDispatch *emu_recording_find(EmuRecording *r, const spv_emu_program *program,
                                        uint32_t index) {
  for (uint32_t i = 0; i < r->count; i++)
    if (r->dispatches[i].program == program && index-- == 0)
      return &r->dispatches[i];
  return NULL;
}

static void first_begun(void *user, const spv_emu_program *program, uint32_t lanes) {
  EmuRecording *r = user;
  r->current = NULL;
  r->begun++;
  if (r->count == EMU_RECORDED_DISPATCHES || emu_recording_find(r, program, EMU_RECORDED_TIMES - 1))
    return;
  r->current = &r->dispatches[r->count++];
  *r->current = (EmuRecordedDispatch){.program = program,
                                      .number = r->begun,
                                      .lanes = lanes,
                                      .words = (lanes + LANES_A_WORD - 1) / LANES_A_WORD,
                                      .worst = UINT32_MAX};
}

static void first_issued(void *user, uint64_t subgroup, uint32_t part, uint32_t count,
                         const uint64_t *lanes) {
  EmuRecording *r = user;
  EmuRecordedDispatch *d = r->current;
  uint64_t active = 0;
  (void)part;
  if (!d)
    return;
  for (uint32_t i = 0; i < d->words; i++)
    active += (uint64_t)__builtin_popcountll(lanes[i]);
  if (!emu_tally_add(&d->tally, subgroup, count, active * count))
    r->out_of_memory = true;
}

/* The dispatch of the first run that has the same number. */
static void begun(void *user, const spv_emu_program *program, uint32_t lanes) {
  EmuRecording *r = user;
  r->current = NULL;
  r->begun++;
  for (uint32_t i = 0; i < r->count; i++) {
    EmuRecordedDispatch *d = &r->dispatches[i];
    if (d->number == r->begun && d->program == program && d->lanes == lanes)
      r->current = d;
  }
}

/* The recorded subgroups are in ascending order; of several places in one subgroup, the first is
 * where it begins, if any is. NULL: it is not recorded. */
static EmuRecorded *find_subgroup(const EmuRecordedDispatch *d, uint64_t subgroup) {
  uint32_t low = 0, high = d->count;
  while (low < high) {
    uint32_t middle = (low + high) / 2;
    if (d->subgroups[middle].subgroup < subgroup)
      low = middle + 1;
    else
      high = middle;
  }
  EmuRecorded *s = low < d->count ? &d->subgroups[low] : NULL;
  return s && s->subgroup == subgroup && s->there ? s : NULL;
}

static void issued(void *user, uint64_t subgroup, uint32_t part, uint32_t count,
                   const uint64_t *lanes) {
  const EmuRecording *r = user;
  EmuRecordedDispatch *d = r->current;
  EmuRecorded *s = d ? find_subgroup(d, subgroup) : NULL;
  if (!s || s->out_of_memory || s->dropped)
    return;
  if (s->count == EMU_RECORDED_SHORT && !s->main) {
    drop_steps(s);
    s->dropped = true;
    return;
  }
  if (s->count == EMU_RECORDED_STEPS && !s->bins)
    emu_recording_to_bins(d, s);
  if (!s->out_of_memory)
    s->out_of_memory =
        s->bins ? !emu_bins_add(s->bins, part, count, lanes) : !keep(d, s, part, count, lanes);
}

static void first_ended(void *user, const spv_emu_result *result) {
  EmuRecording *r = user;
  EmuRecordedDispatch *d = r->current;
  if (!d)
    return;
  d->all = result->subgroups;
  d->counts = calloc(2 * (size_t)result->part_count + 1, sizeof *d->counts);
  if (!d->counts)
    r->out_of_memory = true;
  d->part_count = d->counts ? result->part_count : 0;
  for (uint32_t i = 0; i < d->part_count; i++) {
    d->counts[2 * i] = result->parts[i].executions;
    d->counts[2 * i + 1] = result->parts[i].lanes;
  }
  d->issued = result->issued;
  d->lane_instructions = result->lane_instructions;
}

void emu_recording_start(EmuRecording *r) {
  *r = (EmuRecording){.schedule = {.user = r,
                                   .subgroups = UINT64_MAX,
                                   .begun = first_begun,
                                   .issued = first_issued,
                                   .ended = first_ended}};
}

static bool place_subgroups(EmuRecordedDispatch *d, const EmuRecordedPlaces *places) {
  uint64_t worst;
  bool any = emu_tally_worst(&d->tally, d->lanes, &worst);
  d->subgroups = calloc(places->count + 1u, sizeof *d->subgroups);
  d->count = d->subgroups ? places->count : 0;
  for (uint32_t i = 0; i < d->count; i++) {
    const EmuRecordedPlace *place = &places->at[i];
    d->subgroups[i] = (EmuRecorded){.subgroup = place->invocation / d->lanes, .main = place->main};
    d->subgroups[i].there = place->invocation % d->lanes == 0;
    if (any && worst * d->lanes == place->invocation)
      d->worst = i;
  }
  return d->subgroups;
}

void emu_recording_again(EmuRecording *r, const EmuRecordedPlaces *places) {
  r->schedule.begun = begun;
  r->schedule.issued = issued;
  r->schedule.ended = NULL;
  r->begun = 0;
  for (uint32_t i = 0; i < r->count; i++) {
    if (!place_subgroups(&r->dispatches[i], &places[i]))
      r->out_of_memory = true;
    emu_tally_free(&r->dispatches[i].tally);
    memset(&r->dispatches[i].tally, 0, sizeof r->dispatches[i].tally);
  }
}

bool emu_recording_is_whole(const EmuRecording *r) {
  bool whole = !r->out_of_memory;
  for (uint32_t i = 0; i < r->count; i++)
    for (uint32_t k = 0; k < r->dispatches[i].count; k++)
      whole = whole && !r->dispatches[i].subgroups[k].out_of_memory;
  return whole;
}

void emu_recording_free(EmuRecording *r) {
  for (uint32_t i = 0; i < r->count; i++) {
    EmuRecordedDispatch *d = &r->dispatches[i];
    for (uint32_t k = 0; k < d->count; k++) {
      drop_steps(&d->subgroups[k]);
      emu_bins_free(d->subgroups[k].bins);
    }
    emu_tally_free(&d->tally);
    free(d->subgroups);
    free(d->counts);
  }
}
