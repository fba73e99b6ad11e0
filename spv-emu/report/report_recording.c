/* SPDX-License-Identifier: Apache-2.0 */
/* report_recording: see report_recording.h. */
#include "report/report_recording.h"

#include "report/grow.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

enum { LANES_A_DIGIT = 4, LANES_A_WORD = 64, FIRST_ROOM = 64, STEP_BYTES = 40 };

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

static bool keep(const EmuRecordedDispatch *d, EmuRecorded *s, uint32_t part, uint32_t count,
                 const uint64_t *lanes) {
  uint32_t mask = count;
  void *steps = s->steps;
  bool room = emu_grow(&steps, &s->room, s->count + 1ull, sizeof *s->steps);
  s->steps = steps;
  if (!room || (part != SPV_EMU_NO_PART && !find_mask(d, s, lanes, &mask)))
    return false;
  s->steps[s->count++] = (EmuStep){part, mask};
  return true;
}

const EmuRecordedDispatch *emu_recording_find(const EmuRecording *r,
                                              const spv_emu_program *program) {
  for (uint32_t i = 0; i < r->count; i++)
    if (r->dispatches[i].program == program)
      return &r->dispatches[i];
  return NULL;
}

static void begun(void *user, const spv_emu_program *program, uint32_t lanes) {
  EmuRecording *r = user;
  r->current = NULL;
  if (r->count == EMU_RECORDED_PROGRAMS || emu_recording_find(r, program))
    return;
  r->current = &r->dispatches[r->count++];
  *r->current = (EmuRecordedDispatch){
      .program = program, .lanes = lanes, .words = (lanes + LANES_A_WORD - 1) / LANES_A_WORD};
}

static void issued(void *user, uint64_t subgroup, uint32_t part, uint32_t count,
                   const uint64_t *lanes) {
  EmuRecordedDispatch *d = ((EmuRecording *)user)->current;
  EmuRecorded *s = d ? &d->subgroups[subgroup] : NULL;
  if (!s || s->cut)
    return;
  if (s->count == EMU_RECORDED_STEPS)
    s->cut = true;
  else if (!keep(d, s, part, count, lanes))
    s->cut = s->out_of_memory = true;
}

void emu_recording_start(EmuRecording *r) {
  *r = (EmuRecording){
      .schedule = {
          .user = r, .subgroups = EMU_RECORDED_SUBGROUPS, .begun = begun, .issued = issued}};
}

/* Calls `each` for every subgroup until it returns false; returns the last result. */
static bool for_subgroups(const EmuRecording *r, bool (*each)(const EmuRecorded *s)) {
  bool good = true;
  for (uint32_t i = 0; good && i < r->count * EMU_RECORDED_SUBGROUPS; i++)
    good = each(&r->dispatches[i / EMU_RECORDED_SUBGROUPS].subgroups[i % EMU_RECORDED_SUBGROUPS]);
  return good;
}

static bool is_whole(const EmuRecorded *s) {
  return !s->out_of_memory;
}

bool emu_recording_is_whole(const EmuRecording *r) {
  return for_subgroups(r, is_whole);
}

static bool release(const EmuRecorded *s) {
  free(s->steps);
  free(s->masks);
  free(s->index);
  return true;
}

void emu_recording_free(EmuRecording *r) {
  for_subgroups(r, release);
}

/* ---- output ---------------------------------------------------------------------------------- */

typedef struct Text { /* the steps as text, and the masks that they name */
  char *at;
  size_t size, room;
  uint32_t masks; /* masks that they name */
  size_t bytes;   /* of steps and masks */
} Text;

/* In hexadecimal, without leading zeros. */
static json_t *mask_text(const EmuRecordedDispatch *d, const uint64_t *lanes) {
  char text[1024 / LANES_A_DIGIT + 1];
  uint32_t count = 0;
  for (uint32_t i = (d->lanes + LANES_A_DIGIT - 1) / LANES_A_DIGIT; i-- > 0;) {
    uint32_t at = i * LANES_A_DIGIT;
    unsigned digit = lanes[at / LANES_A_WORD] >> at % LANES_A_WORD & 15;
    if (digit || count || i == 0)
      text[count++] = "0123456789abcdef"[digit];
  }
  return json_stringn(text, count);
}

/* How many equal steps there are in a row from `at` on. */
static uint32_t times(const EmuRecorded *s, uint32_t at) {
  uint32_t next = at + 1;
  while (next < s->count && s->steps[at].part != SPV_EMU_NO_PART &&
         s->steps[next].part == s->steps[at].part && s->steps[next].mask == s->steps[at].mask)
    next++;
  return next - at;
}

static int print_step(char *out, const EmuStep *step, uint32_t last_mask, uint32_t repeats) {
  if (step->part == SPV_EMU_NO_PART)
    return snprintf(out, STEP_BYTES, "+%u ", step->mask);
  int n = snprintf(out, STEP_BYTES, "%u", step->part);
  if (step->mask != last_mask)
    n += snprintf(out + n, STEP_BYTES, ".%u", step->mask);
  if (repeats > 1)
    n += snprintf(out + n, STEP_BYTES, "x%u", repeats);
  return n + snprintf(out + n, STEP_BYTES, " ");
}

/* Prints as many steps as fit; returns how many. */
static uint32_t print_steps(const EmuRecordedDispatch *d, const EmuRecorded *s, size_t most,
                            Text *text) {
  uint32_t i = 0, mask = UINT32_MAX;
  size_t mask_bytes = d->lanes / LANES_A_DIGIT + 4; /* with its quotes and comma */
  while (i < s->count && text->room - text->size > (size_t)3 * STEP_BYTES) {
    const EmuStep *step = &s->steps[i];
    uint32_t repeats = times(s, i);
    bool named = step->part != SPV_EMU_NO_PART;
    bool fresh = named && step->mask >= text->masks;
    int n = print_step(text->at + text->size, step, mask, repeats);
    if (text->bytes + (size_t)n + fresh * mask_bytes > most)
      break;
    text->bytes += (size_t)n + fresh * mask_bytes;
    text->size += (size_t)n;
    text->masks += fresh;
    mask = named ? step->mask : mask;
    i += repeats;
  }
  return i;
}

size_t emu_recording_add(const EmuRecordedDispatch *d, uint32_t subgroup, size_t most, bool may_cut,
                         json_t *subgroups) {
  const EmuRecorded *s = &d->subgroups[subgroup];
  Text text = {.room = most + (size_t)4 * STEP_BYTES};
  text.at = s->count ? malloc(text.room) : NULL;
  if (!text.at)
    return 0;
  bool cut = print_steps(d, s, most, &text) < s->count || s->cut;
  if (!cut || may_cut) {
    json_t *o = json_object(), *masks = json_array();
    for (uint32_t i = 0; i < text.masks; i++)
      json_array_append_new(masks, mask_text(d, mask_at(d, s, i)));
    json_object_set_new(o, "subgroup", json_integer(subgroup));
    json_object_set_new(o, "cut", json_boolean(cut));
    json_object_set_new(o, "masks", masks);
    json_object_set_new(o, "steps", json_stringn(text.at, text.size ? text.size - 1 : 0));
    json_array_append_new(subgroups, o);
  } else {
    text.bytes = 0;
  }
  free(text.at);
  return text.bytes;
}
