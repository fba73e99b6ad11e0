/* SPDX-License-Identifier: Apache-2.0 */
/* fit_judge: see fit_judge.h. */
#include "harness/fit/fit_judge.h"

#include "harness/observe/instrument.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the device's log ---- */

static const uint32_t *part_of(const FtLog *log, const uint32_t *words, uint32_t invocation) {
  return words + (size_t)invocation * ob_part_words(log->records);
}

/* Records of a part. */
static uint32_t length_of(const FtLog *log, const uint32_t *part) {
  return part[0] < log->records ? part[0] : log->records;
}

static const uint32_t *record_of(const uint32_t *part, uint32_t k) {
  return part + OB_HEAD + (size_t)k * OB_RECORD;
}

static bool is_tangle(const FtLog *log, uint32_t point) {
  return point >= log->points->count || log->points->at[point].kind != OB_SELECTOR;
}

/* Observations of a part from record k on. */
static size_t left(const FtLog *log, const uint32_t *part, uint32_t k) {
  size_t count = 0;
  for (; k < length_of(log, part); k++)
    count += is_tangle(log, record_of(part, k)[0] - 1);
  return count;
}

bool ft_log_read(FtLog *log, char why[160]) {
  snprintf(why, 160, "out of memory");
  log->paths = calloc(log->invocations, sizeof *log->paths);
  for (uint32_t i = 0; log->paths && i < log->invocations; i++) {
    const uint32_t *part = part_of(log, log->words, i);
    ObPath *path = &log->paths[i];
    if (!ob_path_read(log->points, part, log->records, path))
      return false;
    log->size = path->size > log->size ? path->size : log->size;
    log->observations += left(log, part, 0);
  }
  for (uint32_t i = 0; log->paths && i < log->invocations; i++) {
    const ObPath *path = &log->paths[i];
    if (!path->ran || path->lane >= log->size ||
        path->subgroup * log->size + path->lane >= log->invocations) {
      snprintf(why, 160, "its subgroups are not %u invocations each", log->size);
      return false;
    }
  }
  return log->paths;
}

void ft_log_free(FtLog *log) {
  for (uint32_t i = 0; log->paths && i < log->invocations; i++)
    ob_path_free(&log->paths[i]);
  free(log->paths);
  log->paths = NULL;
}

/* ---- places ---- */

static bool is_same(const FtPlace *place, uint32_t program, const CvVerdict *v) {
  if (place->program != program || place->first.state != v->state)
    return false;
  return v->state == CV_FAILS ||
         (place->first.point == v->point && place->first.fault == v->fault &&
          (v->fault == CV_PATH || place->first.event == v->event));
}

static FtPlace *add_place(const FtLog *log, const CvVerdict *v, FtScore *score) {
  if (score->count == score->room) {
    uint32_t room = score->room ? 2 * score->room : 16;
    FtPlace *more = realloc(score->places, room * sizeof *more);
    if (!more)
      return NULL;
    score->places = more;
    score->room = room;
  }
  const ObPoint *point = &log->points->at[v->point];
  char *text = strdup(point->text);
  if (!text)
    return NULL;
  FtPlace *place = &score->places[score->count++];
  *place =
      (FtPlace){.program = log->program, .block = point->block, .line = point->line, .text = text};
  place->first.index = UINT32_MAX;
  return place;
}

/* Adds `count` observations, beginning with `v`. False: out of memory. */
static bool miss(const FtLog *log, const CvVerdict *v, uint32_t subgroup, size_t count,
                 FtScore *score) {
  FtPlace *place = NULL;
  for (uint32_t i = score->count; !place && i > 0 && score->places[i - 1].program == log->program;
       i--)
    if (is_same(&score->places[i - 1], log->program, v))
      place = &score->places[i - 1];
  if (!place)
    place = add_place(log, v, score);
  if (!place)
    return false;
  place->count += count;
  if (v->index >= place->first.index)
    return true;
  place->first = *v;
  place->subgroup = subgroup;
  return true;
}

/* ---- one lane ---- */

typedef struct Lane {
  const FtLog *log;
  const ObPath *path;           /* of the device */
  const uint32_t *part, *other; /* of the device's log, of the policy's */
  FtScore *score;
} Lane;

/* The paths differ from record k on. */
static bool leave(const Lane *l, uint32_t k, size_t count) {
  uint32_t last = k < l->path->count ? k : l->path->count;
  const ObSeen *before = last ? &l->path->at[last - 1] : NULL;
  const CvVerdict v = {.state = CV_WRONG,
                       .fault = CV_PATH,
                       .event = before ? before->event : CV_AT_START,
                       .point = before ? before->point : l->log->points->entry,
                       .lane = l->path->lane,
                       .index = k};
  return miss(l->log, &v, l->path->subgroup, count, l->score);
}

static bool differ(const Lane *l, uint32_t k) {
  const ObSeen *seen = &l->path->at[k];
  CvVerdict v = {.state = CV_WRONG,
                 .event = seen->event,
                 .point = seen->point,
                 .lane = l->path->lane,
                 .index = k,
                 .got = seen->got};
  memcpy(v.must.word, record_of(l->other, k) + 1, sizeof v.must.word);
  v.may = v.must;
  v.fault = cv_set_in(&v.must, &v.got) ? CV_EXTRA : CV_MISSING;
  return miss(l->log, &v, l->path->subgroup, 1, l->score);
}

static bool judge_lane(const Lane *l) {
  uint32_t count = length_of(l->log, l->part), others = length_of(l->log, l->other);
  for (uint32_t k = 0; k < count; k++) {
    const uint32_t *a = record_of(l->part, k), *b = record_of(l->other, k);
    if (k >= others || a[0] != b[0] || k >= l->path->count)
      return leave(l, k, left(l->log, l->part, k));
    if (!is_tangle(l->log, a[0] - 1))
      continue;
    if (memcmp(a, b, OB_RECORD * sizeof *a) == 0)
      l->score->explained++;
    else if (!differ(l, k))
      return false;
  }
  if (others == count || !count)
    return true;
  l->score->explained--; /* the last observation has another successor */
  return leave(l, count, 1);
}

/* ---- all lanes ---- */

static void hash(FtScore *score, uint64_t word) {
  score->hash = (score->hash ^ word) * UINT64_C(0x100000001b3); /* FNV-1a */
}

static bool judge_end(const FtLog *log, const char *why, FtScore *score) {
  CvVerdict v = {.state = CV_FAILS, .point = log->points->entry};
  snprintf(v.why, sizeof v.why, "%s", why);
  for (const char *c = why; *c; c++)
    hash(score, (unsigned char)*c);
  return miss(log, &v, 0, log->observations, score);
}

bool ft_judge(const FtLog *log, const uint32_t *words, const char *why, FtScore *score) {
  score->programs++;
  score->observations += log->observations;
  hash(score, log->program);
  if (!words)
    return judge_end(log, why, score);
  for (uint32_t i = 0; i < log->invocations; i++) {
    const ObPath *path = &log->paths[i];
    const Lane lane = {.log = log,
                       .path = path,
                       .part = part_of(log, log->words, i),
                       .other = part_of(log, words, path->subgroup * log->size + path->lane),
                       .score = score};
    for (uint32_t k = 0; k < OB_HEAD + length_of(log, lane.other) * OB_RECORD; k++)
      hash(score, lane.other[k]);
    if (!judge_lane(&lane))
      return false;
  }
  return true;
}

void ft_score_free(FtScore *score) {
  for (uint32_t i = 0; i < score->count; i++)
    free(score->places[i].text);
  free(score->places);
  *score = (FtScore){0};
}
