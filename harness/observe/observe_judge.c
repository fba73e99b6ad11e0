/* SPDX-License-Identifier: Apache-2.0 */
/* observe_judge: see observe_judge.h.
 *
 * The observations of a workgroup are sorted by subgroup and dynamic instance, so that those of one
 * tangle are neighbours. In modes uniform and none, where only uniform control flow counts, the
 * instance is the point: any invocation that ever runs it may be in the tangle. */
#include "harness/observe/observe_judge.h"

#include "harness/observe/instrument.h"

#include <stdlib.h>
#include <string.h>

typedef struct Place {
  uint32_t path, k; /* an observation: point k of a path */
  uint32_t subgroup;
  uint64_t loose, strict;
  CvSet got;
} Place;

typedef struct Group {
  const ObCase *c;
  ObTotals *totals;
  uint32_t workgroup;
  ObPath *paths;     /* by LocalInvocationIndex */
  ObPath **sorted;   /* paths of invocations that ran, by subgroup and lane */
  uint32_t *numbers; /* room for a number by path */
  uint32_t ran;
  Place *places;
  size_t place_count;
  uint32_t first_open;  /* from this index on paths may differ */
  CvSet whole, unknown; /* of the current subgroup: all lanes; lanes whose paths are not complete */
} Group;

static const uint32_t *part_of(const ObCase *c, const uint32_t *log, uint32_t workgroup,
                               uint32_t invocation) {
  size_t part = (size_t)workgroup * c->invocations + invocation;
  return log + part * ob_part_words(c->records);
}

static void put(CvSet *set, uint32_t lane) {
  set->word[lane / 32] |= 1u << lane % 32;
}

static bool is_exact(const ObSeen *seen) {
  return memcmp(&seen->must, &seen->may, sizeof seen->must) == 0;
}

static ObSeen *seen_at(const Group *g, const Place *p) {
  return &g->paths[p->path].at[p->k];
}

/* ---- the paths ---- */

static int by_lane(const void *a, const void *b) {
  const ObPath *x = *(ObPath *const *)a, *y = *(ObPath *const *)b;
  if (x->subgroup != y->subgroup)
    return x->subgroup < y->subgroup ? -1 : 1;
  return (x->lane > y->lane) - (x->lane < y->lane);
}

static bool read_paths(Group *g, const uint32_t *log) {
  const ObCase *c = g->c;
  for (uint32_t i = 0; i < c->invocations; i++) {
    ObPath *path = &g->paths[i];
    if (!ob_path_read(c->points, part_of(c, log, g->workgroup, i), c->records, path))
      return false;
    if (!path->ran)
      continue;
    g->sorted[g->ran++] = path;
    g->totals->paths++;
    g->totals->cut += path->cut;
    if (path->size > g->totals->size)
      g->totals->size = path->size;
  }
  qsort(g->sorted, g->ran, sizeof *g->sorted, by_lane);
  for (uint32_t i = 0; i < g->ran; i++)
    g->totals->broken |= g->sorted[i]->lane >= CV_WORDS * 32 ||
                         (i && by_lane(&g->sorted[i - 1], &g->sorted[i]) == 0);
  return true;
}

static uint32_t end_of_subgroup(const Group *g, uint32_t from) {
  uint32_t to = from;
  while (to < g->ran && g->sorted[to]->subgroup == g->sorted[from]->subgroup)
    to++;
  return to;
}

static void find_uniform(Group *g) {
  if (g->c->mode == CV_NO_PROMISE)
    ob_paths_uniform(g->sorted, g->ran, g->numbers);
  for (uint32_t from = 0, to; g->c->mode == CV_UNIFORM && from < g->ran; from = to) {
    to = end_of_subgroup(g, from);
    ob_paths_uniform(g->sorted + from, to - from, g->numbers);
  }
}

/* ---- what is expected ---- */

static int by_instance(const void *a, const void *b) {
  const Place *x = a, *y = b;
  if (x->subgroup != y->subgroup)
    return x->subgroup < y->subgroup ? -1 : 1;
  if (x->loose != y->loose)
    return x->loose < y->loose ? -1 : 1;
  if (x->strict != y->strict)
    return x->strict < y->strict ? -1 : 1;
  if (x->path != y->path)
    return x->path < y->path ? -1 : 1;
  return (x->k > y->k) - (x->k < y->k);
}

/* By ballot in an instance. */
static int by_ballot(const void *a, const void *b) {
  const Place *x = a, *y = b;
  if (x->subgroup != y->subgroup)
    return x->subgroup < y->subgroup ? -1 : 1;
  if (x->loose != y->loose)
    return x->loose < y->loose ? -1 : 1;
  return memcmp(&x->got, &y->got, sizeof x->got);
}

static bool list_places(Group *g) {
  size_t count = 0;
  for (uint32_t i = 0; i < g->ran; i++)
    count += g->sorted[i]->count;
  g->places = malloc((count + 1) * sizeof *g->places);
  if (!g->places)
    return false;
  for (uint32_t i = 0; i < g->ran; i++)
    for (uint32_t k = 0; k < g->sorted[i]->count; k++) {
      const ObSeen *s = &g->sorted[i]->at[k];
      if (g->c->points->at[s->point].kind == OB_SELECTOR)
        continue;
      bool maximal = g->c->mode == CV_MAXIMAL;
      g->places[g->place_count++] = (Place){.path = (uint32_t)(g->sorted[i] - g->paths),
                                            .k = k,
                                            .subgroup = g->sorted[i]->subgroup,
                                            .loose = maximal ? s->loose : s->point,
                                            .strict = maximal ? s->strict : 0,
                                            .got = s->got};
    }
  return true;
}

static CvSet lanes_of(const Group *g, size_t from, size_t to) {
  CvSet set = {{0}};
  for (size_t i = from; i < to; i++)
    put(&set, g->paths[g->places[i].path].lane);
  return set;
}

static void expect_strict(Group *g, size_t from, size_t to, const CvSet *may) {
  for (size_t begin = from, end; begin < to; begin = end) {
    for (end = begin; end < to && g->places[end].strict == g->places[begin].strict;)
      end++;
    CvSet must = lanes_of(g, begin, end);
    for (size_t i = begin; i < end; i++) {
      seen_at(g, &g->places[i])->must = must;
      seen_at(g, &g->places[i])->may = *may;
    }
  }
}

static void expect_uniform(Group *g, size_t from, size_t to, const CvSet *may) {
  for (size_t i = from; i < to; i++) {
    ObSeen *s = seen_at(g, &g->places[i]);
    s->must = s->may = g->whole;
    if (s->uniform)
      continue;
    s->must = (CvSet){{0}};
    put(&s->must, g->paths[g->places[i].path].lane);
    s->may = *may;
  }
}

static void note_lanes(Group *g, uint32_t subgroup) {
  g->whole = g->unknown = (CvSet){{0}};
  for (uint32_t i = 0; i < g->ran; i++) {
    const ObPath *path = g->sorted[i];
    if (path->subgroup != subgroup)
      continue;
    put(&g->whole, path->lane);
    if (path->cut || path->wrong_step != SR_NONE)
      put(&g->unknown, path->lane);
  }
}

/* Does another subgroup begin with this place? */
static bool begins_subgroup(const Group *g, size_t from) {
  return !from || g->places[from].subgroup != g->places[from - 1].subgroup;
}

static size_t end_of_instance(const Group *g, size_t from) {
  size_t to = from;
  while (to < g->place_count && g->places[to].subgroup == g->places[from].subgroup &&
         g->places[to].loose == g->places[from].loose)
    to++;
  return to;
}

static void expect(Group *g) {
  qsort(g->places, g->place_count, sizeof *g->places, by_instance);
  for (size_t from = 0, to; from < g->place_count; from = to) {
    to = end_of_instance(g, from);
    CvSet may = lanes_of(g, from, to);
    if (begins_subgroup(g, from))
      note_lanes(g, g->places[from].subgroup);
    for (uint32_t i = 0; i < CV_WORDS; i++)
      may.word[i] |= g->unknown.word[i];
    if (g->c->mode == CV_MAXIMAL)
      expect_strict(g, from, to, &may);
    else
      expect_uniform(g, from, to, &may);
  }
}

/* ---- what is wrong ---- */

/* Keeps the finding of the point if it is the earliest one. */
static void add_wrong(const Group *g, uint32_t point, const ObPath *path, const CvVerdict *v,
                      uint32_t other, bool impossible) {
  ObFinding *f = &g->totals->at[point];
  if (f->wrong++ && f->first.index <= v->index)
    return;
  f->first = *v;
  f->workgroup = g->workgroup;
  f->subgroup = path->subgroup;
  f->other = other;
  f->impossible = impossible;
}

static void add_fault(Group *g, const Place *p, CvFault fault) {
  const ObSeen *s = seen_at(g, p);
  const ObPath *path = &g->paths[p->path];
  const CvVerdict v = {.state = CV_WRONG,
                       .fault = fault,
                       .event = s->event,
                       .point = s->point,
                       .lane = path->lane,
                       .index = p->k,
                       .got = s->got,
                       .must = s->must,
                       .may = s->may};
  add_wrong(g, s->point, path, &v, SR_NONE, false);
}

/* If results of instructions may differ, values and therefore paths may differ, too. */
static void note_open(Group *g, const Place *p, bool wrong) {
  const ObSeen *s = seen_at(g, p);
  const ObPoint *point = &g->c->points->at[s->point];
  bool open = point->has_atomic || (point->has_group && (wrong || !is_exact(s)));
  if (open && p->k < g->first_open)
    g->first_open = p->k;
}

/* Did each lane that the ballot names get the same ballot as often? The places have one ballot. */
static bool is_shared(const Group *g, size_t from, size_t to) {
  uint32_t times[CV_WORDS * 32] = {0}, wanted = g->paths[g->places[from].path].lane;
  for (size_t i = from; i < to; i++)
    times[g->paths[g->places[i].path].lane]++;
  for (uint32_t lane = 0; lane < CV_WORDS * 32; lane++)
    if (cv_set_has(&g->places[from].got, lane) && !cv_set_has(&g->unknown, lane) &&
        times[lane] != times[wanted])
      return false;
  return true;
}

static void judge_ballot(Group *g, size_t from, size_t to) {
  bool shared = is_shared(g, from, to);
  for (size_t i = from; i < to; i++) {
    const Place *p = &g->places[i];
    const ObSeen *s = seen_at(g, p);
    bool missing = !cv_set_in(&s->must, &s->got), extra = !cv_set_in(&s->got, &s->may);
    bool unequal = !shared && !is_exact(s);
    g->totals->at[s->point].seen++;
    g->totals->observations++;
    if (missing || extra || unequal)
      add_fault(g, p, missing ? CV_MISSING : extra ? CV_EXTRA : CV_UNEQUAL);
    note_open(g, p, missing || extra || unequal);
  }
}

static void judge_ballots(Group *g) {
  qsort(g->places, g->place_count, sizeof *g->places, by_ballot);
  for (size_t from = 0, to; from < g->place_count; from = to) {
    for (to = from; to < g->place_count && by_ballot(&g->places[from], &g->places[to]) == 0;)
      to++;
    if (begins_subgroup(g, from))
      note_lanes(g, g->places[from].subgroup);
    judge_ballot(g, from, to);
  }
}

/* ---- paths ---- */

static void add_path(const Group *g, const ObPath *path, uint32_t k, uint32_t point, uint32_t other,
                     bool impossible) {
  uint32_t last = k ? path->at[k - 1].point : g->c->points->entry;
  const CvVerdict v = {.state = CV_WRONG,
                       .fault = CV_PATH,
                       .event = k ? path->at[k - 1].event : CV_AT_START,
                       .point = point,
                       .lane = path->lane,
                       .index = k};
  add_wrong(g, last, path, &v, other, impossible);
}

/* `words`: the emulator's part of the log. */
static void compare_path(Group *g, const ObPath *path, const uint32_t *words) {
  uint32_t count = words[0] < g->c->records ? words[0] : g->c->records, k = 0;
  const uint32_t *records = words + OB_HEAD;
  while (k < count && k < path->count && records[(size_t)k * OB_RECORD] - 1 == path->at[k].point)
    k++;
  bool ends = k == path->count, other_ends = k == count;
  if ((ends && other_ends) || (ends && path->cut) || (other_ends && words[0] > count))
    return;
  if (k > g->first_open) {
    g->totals->open++;
    return;
  }
  add_path(g, path, k, ends ? SR_NONE : path->at[k].point,
           other_ends ? SR_NONE : records[(size_t)k * OB_RECORD] - 1, false);
}

static void judge_paths(Group *g, const uint32_t *log, const uint32_t *reference) {
  for (uint32_t i = 0; i < g->c->invocations; i++) {
    const ObPath *path = &g->paths[i];
    if (path->wrong_step != SR_NONE) {
      const uint32_t *part = part_of(g->c, log, g->workgroup, i) + OB_HEAD;
      uint32_t k = path->wrong_step, point = part[(size_t)k * OB_RECORD] - 1;
      add_path(g, path, k, point < g->c->points->count ? point : SR_NONE, SR_NONE, true);
    } else if (reference) {
      compare_path(g, path, part_of(g->c, reference, g->workgroup, i));
    }
  }
}

/* ---- a workgroup ---- */

static bool judge_workgroup(Group *g, const uint32_t *log, const uint32_t *reference) {
  if (!read_paths(g, log))
    return false;
  if (g->totals->broken)
    return true;
  find_uniform(g);
  if (!list_places(g))
    return false;
  expect(g);
  judge_ballots(g);
  judge_paths(g, log, reference);
  return true;
}

static void clear(Group *g) {
  for (uint32_t i = 0; g->paths && i < g->c->invocations; i++)
    ob_path_free(&g->paths[i]);
  free(g->paths);
  free(g->sorted);
  free(g->numbers);
  free(g->places);
}

bool ob_judge(const ObCase *c, const uint32_t *log, const uint32_t *reference, ObTotals *totals) {
  bool good = true;
  *totals = (ObTotals){.at = calloc(c->points->count + 1, sizeof *totals->at)};
  for (uint32_t w = 0; good && totals->at && !totals->broken && w < c->workgroups; w++) {
    Group g = {.c = c,
               .totals = totals,
               .workgroup = w,
               .paths = calloc(c->invocations, sizeof *g.paths),
               .sorted = calloc(c->invocations, sizeof(ObPath *)),
               .numbers = calloc(c->invocations, sizeof *g.numbers),
               .first_open = SR_NONE};
    good = g.paths && g.sorted && g.numbers && judge_workgroup(&g, log, reference);
    clear(&g);
  }
  return good && totals->at;
}
