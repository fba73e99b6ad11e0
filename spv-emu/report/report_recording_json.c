/* SPDX-License-Identifier: Apache-2.0 */
/* report_recording_json: recorded schedules as JSON; see report_recording.h. */
#include "spv-emu/report/report_recording.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LANES_A_DIGIT = 4, LANES_A_WORD = 64, STEP_BYTES = 40, MASK_DIGITS = 1024 / LANES_A_DIGIT };

/* ---- steps ----------------------------------------------------------------------------------- */

typedef struct Text { /* the steps as text, and the masks that they name */
  char *at;
  size_t size, room;
  uint32_t masks; /* masks that they name */
  size_t bytes;   /* of steps and masks */
} Text;

/* Writes a mask in hexadecimal, without leading zeros. Returns the number of digits. */
static uint32_t print_mask(const EmuRecordedDispatch *d, const uint64_t *lanes,
                           char text[MASK_DIGITS]) {
  uint32_t count = 0;
  for (uint32_t i = (d->lanes + LANES_A_DIGIT - 1) / LANES_A_DIGIT; i-- > 0;) {
    uint32_t at = i * LANES_A_DIGIT;
    unsigned digit = lanes[at / LANES_A_WORD] >> at % LANES_A_WORD & 15;
    if (digit || count || i == 0)
      text[count++] = "0123456789abcdef"[digit];
  }
  return count;
}

/* How many steps, beginning with `at`, are equal. */
static uint32_t times(const EmuRecorded *s, uint32_t at) {
  uint32_t next = at + 1;
  while (next < s->count && s->steps[at].part != SPV_EMU_NO_PART &&
         s->steps[next].part == s->steps[at].part && s->steps[next].mask == s->steps[at].mask)
    next++;
  return next - at;
}

static int print_step(char *out, const EmuRecordedStep *step, uint32_t last_mask,
                      uint32_t repeats) {
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
    const EmuRecordedStep *step = &s->steps[i];
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

/* The recorded steps and their masks; NULL if they take more than `most` bytes. */
static json_t *steps_object(const EmuRecordedDispatch *d, const EmuRecorded *s, size_t most,
                            size_t *bytes) {
  Text text = {.room = most + (size_t)4 * STEP_BYTES};
  json_t *o = NULL;
  text.at = malloc(text.room);
  if (text.at && print_steps(d, s, most, &text) == s->count) {
    json_t *masks = json_array();
    for (uint32_t i = 0; i < text.masks; i++) {
      char digits[MASK_DIGITS];
      uint32_t count = print_mask(d, &s->masks[(size_t)i * d->words], digits);
      json_array_append_new(masks, json_stringn(digits, count));
    }
    o = json_object();
    json_object_set_new(o, "masks", masks);
    json_object_set_new(o, "steps", json_stringn(text.at, text.size ? text.size - 1 : 0));
    *bytes = text.bytes;
  }
  free(text.at);
  return o;
}

/* ---- bins ------------------------------------------------------------------------------------ */

/* Has the entry the same lanes as the one before it? */
static bool repeats_mask(const EmuBins *b, const EmuBin *bin, uint32_t entry) {
  const uint64_t *mask = &b->masks[(size_t)entry * b->words];
  return entry > bin->first && b->entries[entry - 1].part != SPV_EMU_NO_PART &&
         memcmp(mask, mask - b->words, b->words * sizeof *mask) == 0;
}

static void print_entry(const EmuRecordedDispatch *d, const EmuBins *b, const EmuBin *bin,
                        uint32_t entry, FILE *out) {
  const EmuBinEntry *e = &b->entries[entry];
  char digits[MASK_DIGITS];
  if (e->part == SPV_EMU_NO_PART) {
    fprintf(out, "+.%" PRIu64, e->executions);
    return;
  }
  fprintf(out, "%" PRIu32 ".%" PRIu64 ".%" PRIu64, e->part, e->executions, e->lanes);
  if (repeats_mask(b, bin, entry))
    return;
  int count = (int)print_mask(d, &b->masks[(size_t)entry * b->words], digits);
  fprintf(out, ".%.*s", count, digits);
}

/* The level of an activity: above the lowest if there is any. */
static char level_of(uint64_t active, uint64_t issues) {
  const uint64_t most = sizeof EMU_BIN_LEVELS - 2;
  uint64_t level = issues ? (active * most + issues - 1) / issues : 0;
  return EMU_BIN_LEVELS[level < most ? level : most];
}

static json_t *bin_array(const EmuRecordedDispatch *d, const EmuBins *b, uint32_t at) {
  const EmuBin *bin = &b->bins[at];
  char *entries = NULL, levels[1024];
  size_t size = 0;
  FILE *out = open_memstream(&entries, &size);
  for (uint32_t i = 0; out && i < bin->count; i++) {
    if (i)
      fputc(' ', out);
    print_entry(d, b, bin, bin->first + i, out);
  }
  bool good = out && fclose(out) == 0;
  for (uint32_t i = 0; i < b->lanes; i++)
    levels[i] = level_of(b->active[(size_t)at * b->lanes + i], bin->issues);
  json_t *array = json_array();
  json_array_append_new(array, json_integer((json_int_t)bin->issues));
  json_array_append_new(array, good ? json_string(entries) : NULL);
  json_array_append_new(array, json_stringn(levels, b->lanes));
  free(entries);
  return array;
}

static size_t bytes_of(const json_t *array) {
  return json_dumpb(array, NULL, 0, JSON_COMPACT) + 1;
}

/* Merges bins until they take no more than `most` bytes. */
static json_t *bins_object(const EmuRecordedDispatch *d, EmuBins *b, size_t most, size_t *bytes) {
  for (;; emu_bins_merge(b)) {
    json_t *bins = json_array();
    *bytes = 0;
    for (uint32_t i = 0; i < b->count && *bytes <= most; i++) {
      json_t *bin = bin_array(d, b, i);
      *bytes += bytes_of(bin);
      json_array_append_new(bins, bin);
    }
    if (*bytes <= most || b->count <= 1) {
      json_t *o = json_object();
      json_object_set_new(o, "bins", bins);
      return o;
    }
    json_decref(bins);
  }
}

/* ---- steps or bins --------------------------------------------------------------------------- */

size_t emu_recording_add(EmuRecordedDispatch *d, uint32_t slot, size_t most, size_t least,
                         json_t *subgroups) {
  EmuRecorded *s = &d->subgroups[slot];
  size_t bytes = 0;
  if (!s->count || s->out_of_memory || s->dropped)
    return 0;
  json_t *o = s->bins ? NULL : steps_object(d, s, most, &bytes);
  if (!o && most < least)
    return 0;
  if (!o && !s->bins)
    emu_recording_to_bins(d, s);
  if (!o && !s->out_of_memory)
    o = bins_object(d, s->bins, most, &bytes);
  if (!o)
    return 0;
  json_object_set_new(o, "slot", json_integer(slot));
  json_object_set_new(o, "subgroup", json_integer((json_int_t)s->subgroup));
  json_array_append_new(subgroups, o);
  return bytes;
}
