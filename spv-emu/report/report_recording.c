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

static void begun(void *user, const spv_emu_program *program, uint32_t lanes) {
  EmuRecording *r = user;
  r->current = NULL;
  r->begun++;
  if (r->count == EMU_RECORDED_DISPATCHES || emu_recording_find(r, program, EMU_RECORDED_TIMES - 1))
    return;
  r->current = &r->dispatches[r->count++];
  *r->current = (EmuRecordedDispatch){.program = program,
                                      .number = r->begun,
                                      .lanes = lanes,
                                      .words = (lanes + LANES_A_WORD - 1) / LANES_A_WORD};
}

/* Reported subgroup number i of n is i * all / n. */
static uint64_t slot_of_subgroup(const EmuRecording *r, uint64_t subgroup) {
  return r->all <= EMU_RECORDED_SUBGROUPS
             ? subgroup
             : (subgroup * EMU_RECORDED_SUBGROUPS + r->all - 1) / r->all;
}

static void issued(void *user, uint64_t subgroup, uint32_t part, uint32_t count,
                   const uint64_t *lanes) {
  const EmuRecording *r = user;
  EmuRecordedDispatch *d = r->current;
  EmuRecorded *s = d ? &d->subgroups[slot_of_subgroup(r, subgroup)] : NULL;
  if (!s || s->out_of_memory)
    return;
  if (s->count == EMU_RECORDED_STEPS && !s->bins)
    emu_recording_to_bins(d, s);
  if (!s->out_of_memory)
    s->out_of_memory =
        s->bins ? !emu_bins_add(s->bins, part, count, lanes) : !keep(d, s, part, count, lanes);
}

static void ended(void *user, const spv_emu_result *result) {
  const EmuRecording *r = user;
  EmuRecordedDispatch *d = r->current;
  if (!d)
    return;
  d->all = r->all;
  d->ran = result->subgroups;
  d->counts = calloc(2 * (size_t)result->part_count + 1, sizeof *d->counts);
  d->subgroups[0].out_of_memory |= !d->counts;
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
                                   .subgroups = EMU_RECORDED_SUBGROUPS,
                                   .spread = &r->all,
                                   .begun = begun,
                                   .issued = issued,
                                   .ended = ended}};
}

bool emu_recording_is_whole(const EmuRecording *r) {
  bool whole = true;
  for (uint32_t i = 0; i < r->count * EMU_RECORDED_SUBGROUPS; i++)
    whole = whole && !r->dispatches[i / EMU_RECORDED_SUBGROUPS]
                          .subgroups[i % EMU_RECORDED_SUBGROUPS]
                          .out_of_memory;
  return whole;
}

void emu_recording_free(EmuRecording *r) {
  for (uint32_t i = 0; i < r->count; i++) {
    for (uint32_t k = 0; k < EMU_RECORDED_SUBGROUPS; k++) {
      drop_steps(&r->dispatches[i].subgroups[k]);
      emu_bins_free(r->dispatches[i].subgroups[k].bins);
    }
    free(r->dispatches[i].counts);
  }
}
