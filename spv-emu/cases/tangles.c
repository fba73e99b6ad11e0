/* SPDX-License-Identifier: Apache-2.0 */
/* tangles: see tangles.h. */
#include "spv-emu/cases/tangles.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct Issue { /* an operation, issued for a set of lanes */
  const spv_emu_subgroup_op *op;
  size_t set; /* the first of its words */
  uint32_t words;
} Issue;

typedef struct Subgroup {
  uint64_t *hashes; /* by lane; 0: it runs no operation */
  uint32_t size;    /* lanes in `hashes` */
  Issue *issues;
  size_t count, room;
  uint64_t *words; /* of the sets */
  size_t word_count, word_room;
  bool cut; /* some issues at the end are not kept */
} Subgroup;

struct EmuTangles {
  Subgroup *at;
  size_t count;
  size_t left; /* bytes that may still be kept */
  bool failed; /* out of memory */
};

EmuTangles *emu_tangles_new(size_t most) {
  EmuTangles *t = calloc(1, sizeof *t);
  if (t)
    t->left = most;
  return t;
}

void emu_tangles_free(EmuTangles *t) {
  for (size_t i = 0; t && i < t->count; i++) {
    free(t->at[i].hashes);
    free(t->at[i].issues);
    free(t->at[i].words);
  }
  if (t)
    free(t->at);
  free(t);
}

/* ---- recording ------------------------------------------------------------------------------- */

/* Makes room for more items in an array. False: there is no memory, and nothing changes. */
static bool grow(void **at, size_t *room, size_t wanted, size_t item) {
  if (wanted <= *room)
    return true;
  size_t to = wanted < 2 * *room ? 2 * *room : wanted;
  void *more = realloc(*at, to * item);
  if (!more)
    return false;
  memset((char *)more + *room * item, 0, (to - *room) * item);
  *at = more;
  *room = to;
  return true;
}

static Subgroup *subgroup_of(EmuTangles *t, uint64_t number, uint32_t size) {
  void *all = t->at;
  bool good = grow(&all, &t->count, number + 1, sizeof *t->at);
  t->at = all;
  if (!good)
    return NULL;
  Subgroup *s = &t->at[number];
  void *hashes = s->hashes;
  size_t lanes = s->size;
  good = grow(&hashes, &lanes, size, sizeof *s->hashes);
  s->hashes = hashes;
  s->size = (uint32_t)lanes;
  return good ? s : NULL;
}

/* The finalizer of SplitMix64 (Steele, Lea, Flood 2014). */
static uint64_t mix(uint64_t x) {
  x += 0x9e3779b97f4a7c15;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9;
  x = (x ^ x >> 27) * 0x94d049bb133111eb;
  return x ^ x >> 31;
}

/* Sets of the same lanes have the same hash, whatever the number of words. */
static uint64_t hash_of(const spv_emu_subgroup_op *op, const uint64_t *set, uint32_t words) {
  uint64_t hash = mix(op->opcode);
  for (uint32_t w = 0; w < words; w++)
    if (set[w])
      hash = mix(hash ^ mix(set[w] + w));
  return hash;
}

static bool has(const uint64_t *set, uint32_t words, uint32_t lane) {
  return lane / 64 < words && set[lane / 64] >> lane % 64 & 1;
}

static void keep(EmuTangles *t, Subgroup *s, const Issue *issue, const uint64_t *set) {
  size_t bytes = sizeof *issue + issue->words * sizeof *set;
  void *issues = s->issues, *words = s->words;
  s->cut = s->cut || bytes > t->left || !grow(&issues, &s->room, s->count + 1, sizeof *issue) ||
           !grow(&words, &s->word_room, s->word_count + issue->words, sizeof *set);
  s->issues = issues;
  s->words = words;
  if (s->cut)
    return;
  t->left -= bytes;
  s->issues[s->count] = *issue;
  s->issues[s->count++].set = s->word_count;
  memcpy(&s->words[s->word_count], set, issue->words * sizeof *set);
  s->word_count += issue->words;
}

static void record(void *user, uint64_t subgroup, uint32_t size, const spv_emu_subgroup_op *op,
                   const uint64_t *lanes) {
  EmuTangles *t = user;
  const Issue issue = {.op = op, .words = (size + 63) / 64};
  Subgroup *s = subgroup_of(t, subgroup, size);
  if (!s) {
    t->failed = true;
    return;
  }
  uint64_t hash = hash_of(op, lanes, issue.words);
  for (uint32_t lane = 0; lane < size; lane++)
    if (has(lanes, issue.words, lane))
      s->hashes[lane] = mix(s->hashes[lane] + hash) | 1;
  keep(t, s, &issue, lanes);
}

spv_emu_tangles emu_tangles_listener(EmuTangles *t) {
  return (spv_emu_tangles){.user = t, .issued = record};
}

bool emu_tangles_any(const EmuTangles *t) {
  return t->count;
}

/* ---- the sequences of a lane ----------------------------------------------------------------- */

/* How far an operation is looked for in the rest of a sequence. */
enum { AHEAD = 256 };

static const uint64_t *set_of(const Subgroup *s, size_t at) {
  return &s->words[s->issues[at].set];
}

/* The lane's first issue at or after `at`; s->count: there is none. */
static size_t next_of(const Subgroup *s, uint32_t lane, size_t at) {
  while (at < s->count && !has(set_of(s, at), s->issues[at].words, lane))
    at++;
  return at;
}

static bool same_op(const spv_emu_subgroup_op *a, const spv_emu_subgroup_op *b) {
  return a->opcode == b->opcode && (!a->line || !b->line || a->line == b->line);
}

static void copy_set(const Subgroup *s, size_t at, uint64_t to[EMU_TANGLE_WORDS]) {
  memcpy(to, set_of(s, at), s->issues[at].words * sizeof *to);
}

static bool same_set(const Subgroup *a, size_t i, const Subgroup *b, size_t k) {
  uint64_t sets[2][EMU_TANGLE_WORDS] = {{0}};
  copy_set(a, i, sets[0]);
  copy_set(b, k, sets[1]);
  return memcmp(sets[0], sets[1], sizeof sets[0]) == 0;
}

/* Does the lane run the operation after issue `at`? */
static bool runs_later(const Subgroup *s, uint32_t lane, size_t at, const spv_emu_subgroup_op *op) {
  at = next_of(s, lane, at + 1);
  for (uint32_t n = 0; n < AHEAD && at < s->count; n++, at = next_of(s, lane, at + 1))
    if (same_op(s->issues[at].op, op))
      return true;
  return false;
}

/* ---- differences ----------------------------------------------------------------------------- */

typedef struct Walk {
  EmuTangleVerdict *verdict;
  const Subgroup *at[2]; /* before, after */
  uint64_t subgroup;
  uint32_t lane;
  bool found;
} Walk;

static bool same_difference(const EmuTangleDifference *a, const EmuTangleDifference *b) {
  return a->op[0] == b->op[0] && a->op[1] == b->op[1] && a->order == b->order;
}

/* Adds a difference, once for each lane. */
static void add(Walk *w, EmuTangleDifference d) {
  EmuTangleVerdict *v = w->verdict;
  EmuTangleDifference *to = v->at;
  w->found = true;
  while (to < v->at + v->count && !same_difference(to, &d))
    to++;
  if (to == v->at + EMU_TANGLE_DIFFERENCES) {
    v->more = true;
    return;
  }
  if (to == v->at + v->count) {
    d.subgroup = w->subgroup;
    d.lane = w->lane;
    v->at[v->count++] = d;
    to->lanes = 1;
  } else if (to->last_subgroup != w->subgroup || to->last_lane != w->lane) {
    to->lanes++;
  }
  to->last_subgroup = w->subgroup;
  to->last_lane = w->lane;
}

/* Issue i of the module before and issue k of the module after; SIZE_MAX: none. */
static void differ(Walk *w, size_t i, size_t k, bool order) {
  EmuTangleDifference d = {.order = order};
  const size_t at[2] = {i, k};
  for (int side = 0; side < 2; side++)
    if (at[side] != SIZE_MAX) {
      d.op[side] = w->at[side]->issues[at[side]].op;
      copy_set(w->at[side], at[side], d.set[side]);
    }
  add(w, d);
}

/* The next issues of the lane are not the same: says what differs, and goes past it. False: what
 * follows cannot be told apart. */
static bool step(Walk *w, size_t *i, size_t *k) {
  const Subgroup *a = w->at[0], *b = w->at[1];
  const spv_emu_subgroup_op *x = a->issues[*i].op, *y = b->issues[*k].op;
  bool same = same_op(x, y);
  bool x_later = !same && runs_later(b, w->lane, *k, x);
  bool y_later = !same && runs_later(a, w->lane, *i, y);
  if (x_later && y_later) {
    differ(w, *i, *k, true);
    return false;
  }
  differ(w, x_later ? SIZE_MAX : *i, y_later ? SIZE_MAX : *k, false);
  *i += !x_later;
  *k += !y_later;
  return true;
}

/* What only one of the modules has at the end of the lane's sequence. */
static void step_rest(Walk *w, size_t i, size_t k) {
  const Subgroup *a = w->at[0], *b = w->at[1];
  for (; !b->cut && i < a->count; i = next_of(a, w->lane, i + 1))
    differ(w, i, SIZE_MAX, false);
  for (; !a->cut && k < b->count; k = next_of(b, w->lane, k + 1))
    differ(w, SIZE_MAX, k, false);
}

static void walk(Walk *w) {
  const Subgroup *a = w->at[0], *b = w->at[1];
  size_t i = 0, k = 0;
  w->found = false;
  for (;;) {
    i = next_of(a, w->lane, i);
    k = next_of(b, w->lane, k);
    if (i == a->count || k == b->count)
      break;
    bool same = a->issues[i].op->opcode == b->issues[k].op->opcode && same_set(a, i, b, k);
    if (!same && !step(w, &i, &k))
      return;
    i += same;
    k += same;
  }
  step_rest(w, i, k);
}

static uint64_t hash_at(const Subgroup *s, uint32_t lane) {
  return lane < s->size ? s->hashes[lane] : 0;
}

static void compare_subgroup(Walk *w) {
  EmuTangleVerdict *v = w->verdict;
  const Subgroup *a = w->at[0], *b = w->at[1];
  for (uint32_t lane = 0; lane < a->size || lane < b->size; lane++) {
    uint64_t x = hash_at(a, lane), y = hash_at(b, lane);
    v->lanes += x || y;
    if (x == y)
      continue;
    v->different++;
    w->lane = lane;
    walk(w);
    v->unknown += !w->found;
  }
}

bool emu_tangles_compare(const EmuTangles *before, const EmuTangles *after,
                         EmuTangleVerdict *verdict) {
  static const Subgroup none;
  *verdict = (EmuTangleVerdict){0};
  if (before->failed || after->failed)
    return false;
  for (size_t i = 0; i < before->count || i < after->count; i++) {
    Walk w = {.verdict = verdict,
              .at = {i < before->count ? &before->at[i] : &none,
                     i < after->count ? &after->at[i] : &none},
              .subgroup = i};
    compare_subgroup(&w);
  }
  return true;
}

/* ---- text ------------------------------------------------------------------------------------ */

/* "lanes 0-3,8", or "lane 5" */
static void put_lanes(FILE *out, const uint64_t *set) {
  const char *before = "";
  uint32_t most = EMU_TANGLE_WORDS * 64;
  uint32_t count = 0;
  for (uint32_t w = 0; w < EMU_TANGLE_WORDS; w++)
    count += (uint32_t)__builtin_popcountll(set[w]);
  fputs(count == 1 ? "lane " : "lanes ", out);
  for (uint32_t lane = 0; lane < most; lane++) {
    if (!has(set, EMU_TANGLE_WORDS, lane))
      continue;
    uint32_t first = lane;
    while (lane + 1 < most && has(set, EMU_TANGLE_WORDS, lane + 1))
      lane++;
    fprintf(out, "%s%" PRIu32, before, first);
    if (lane > first)
      fprintf(out, "-%" PRIu32, lane);
    before = ",";
  }
}

static void put_op(FILE *out, const spv_emu_subgroup_op *op) {
  if (*op->place)
    fprintf(out, "%s (%s)", op->name, op->place);
  else
    fprintf(out, "%s (function %s, block %%%" PRIu32 ")", op->name, op->function, op->block);
}

static void put_side(FILE *out, const EmuTangleDifference *d, int side) {
  if (d->op[side])
    put_lanes(out, d->set[side]);
  else
    fprintf(out, "not run by lane %" PRIu32, d->lane);
  fputs(side ? " after" : " before", out);
}

/* Do both modules have the operation at the same place? */
static bool is_one_place(const EmuTangleDifference *d) {
  const spv_emu_subgroup_op *a = d->op[0], *b = d->op[1];
  return a->opcode == b->opcode && *a->place && strcmp(a->place, b->place) == 0;
}

static void put_difference(FILE *out, const EmuTangleDifference *d) {
  put_op(out, d->op[0] ? d->op[0] : d->op[1]);
  if (d->op[0] && d->op[1] && !is_one_place(d)) {
    fputs(d->order ? " and " : " before, ", out);
    put_op(out, d->op[1]);
    fputs(d->order ? "" : " after", out);
  }
  fprintf(out, ", subgroup %" PRIu64 ": ", d->subgroup);
  if (d->order) {
    fprintf(out, "lane %" PRIu32 " runs them in a different order", d->lane);
  } else {
    put_side(out, d, 0);
    fputs(", ", out);
    put_side(out, d, 1);
  }
  if (d->lanes > 1)
    fprintf(out, "; it differs for %" PRIu64 " lanes", d->lanes);
}

bool emu_tangles_line(const EmuTangleVerdict *v, uint32_t i, char *text, size_t size) {
  bool unknown = i == v->count && v->unknown;
  bool more = i == v->count + !!v->unknown && v->more;
  if (i >= v->count && !unknown && !more)
    return false;
  char *line = NULL;
  size_t length;
  FILE *out = open_memstream(&line, &length);
  if (!out)
    return false;
  if (unknown)
    fprintf(out,
            "subgroup operations of %" PRIu64 " lanes differ after those that are kept: run fewer "
            "workgroups to see where",
            v->unknown);
  else if (more)
    fprintf(out, "more subgroup operations than these %" PRIu32, v->count);
  else
    put_difference(out, &v->at[i]);
  bool good = fclose(out) == 0;
  snprintf(text, size, "%s", good ? line : "");
  free(line);
  return good;
}
