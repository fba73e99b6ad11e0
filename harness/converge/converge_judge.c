/* SPDX-License-Identifier: Apache-2.0 */
/* converge_judge: see converge_judge.h. */
#include "harness/converge/converge_judge.h"

#include "harness/converge/glsl.h"

#include <string.h>

typedef struct Case {
  const CvProgram *p;
  const CvExpected *expected;
  uint32_t size;
  const uint32_t *told;
} Case;

static const uint32_t *record_at(const Case *c, uint32_t lane, uint32_t k) {
  return c->told + cv_told_at(c->size, lane, k);
}

static uint32_t point_at(const Case *c, uint32_t lane, uint32_t k) {
  return (record_at(c, lane, k)[0] & ~CV_BEYOND) - 1;
}

/* One bit represents all lanes beyond the subgroup. */
static CvSet seen_at(const Case *c, uint32_t lane, uint32_t k) {
  const uint32_t *record = record_at(c, lane, k);
  CvSet set = {{0}};
  memcpy(set.word, record + 1, cv_set_words(c->size) * sizeof *set.word);
  set.word[CV_WORDS - 1] |= record[0] & CV_BEYOND;
  return set;
}

static bool equal(const CvSet *a, const CvSet *b) {
  return memcmp(a, b, sizeof *a) == 0;
}

static CvTell tell_of(const CvProgram *p, const CvRecord *r) {
  return (CvTell)p->at[r->point].tell;
}

/* ---- what an operation shows ---- */

/* The lanes of the set that vote for. */
static CvSet votes(CvSet set, uint32_t row, uint32_t size, uint32_t lane) {
  uint32_t from = lane / size * size;
  for (uint32_t i = 0; i < size; i++)
    if (!cv_value(row, from + i, size))
      set.word[i / 32] &= ~(1u << i % 32);
  return set;
}

static uint32_t rank(const CvSet *set, uint32_t lane) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < lane; i++)
    count += cv_set_has(set, i);
  return count;
}

static uint32_t lowest(const CvSet *set) {
  uint32_t lane = 0;
  while (lane + 1 < CV_WORDS * 32 && !cv_set_has(set, lane))
    lane++;
  return lane;
}

bool cv_shown(const CvProgram *program, const CvRecord *record, uint32_t subgroup_size,
              uint32_t lane, CvSet *shown) {
  const CvSet *tangle = &record->must;
  *shown = (CvSet){{0}};
  switch (tell_of(program, record)) {
  case CV_VOTE:
    *shown = votes(*tangle, program->at[record->point].row, subgroup_size, lane);
    break;
  case CV_COUNT:
    shown->word[0] = cv_set_count(tangle);
    break;
  case CV_RANK:
    shown->word[0] = rank(tangle, lane % subgroup_size);
    break;
  case CV_FIRST:
    shown->word[0] = lowest(tangle);
    break;
  default:
    *shown = *tangle;
  }
  return equal(&record->must, &record->may);
}

/* ---- one observation ---- */

/* How often the lane got this set at this point. */
static uint32_t times(const Case *c, uint32_t lane, uint32_t point, const CvSet *set) {
  uint32_t count = 0;
  for (uint32_t k = 0; k < c->expected->count[lane]; k++) {
    CvSet seen = seen_at(c, lane, k);
    count += c->expected->record[lane][k].point == point && equal(&seen, set);
  }
  return count;
}

static bool is_shared(const Case *c, uint32_t lane, uint32_t point, const CvSet *set) {
  uint32_t from = lane / c->size * c->size, wanted = times(c, lane, point, set);
  for (uint32_t i = 0; i < c->size; i++)
    if (cv_set_has(set, i) && times(c, from + i, point, set) != wanted)
      return false;
  return true;
}

/* Sets fault, must and may. */
static bool is_right(const Case *c, uint32_t lane, uint32_t k, CvVerdict *v) {
  const CvRecord *r = &c->expected->record[lane][k];
  CvTell tell = tell_of(c->p, r);
  CvRecord possible = *r;
  bool exact = cv_shown(c->p, r, c->size, lane, &v->must);
  possible.must = r->may;
  cv_shown(c->p, &possible, c->size, lane, &v->may);
  v->got = seen_at(c, lane, k);
  if (point_at(c, lane, k) != r->point) {
    v->fault = CV_PATH;
    return false;
  }
  if (tell > CV_VOTE) {
    v->fault = CV_OTHER;
    return !exact || equal(&v->got, &v->must);
  }
  if (!cv_set_in(&v->must, &v->got)) {
    v->fault = CV_MISSING;
    return false;
  }
  v->fault = CV_EXTRA;
  if (!cv_set_in(&v->got, &v->may))
    return false;
  v->fault = CV_UNEQUAL;
  return exact || tell == CV_VOTE || is_shared(c, lane, r->point, &v->got);
}

/* ---- all observations ---- */

static void keep_first(const Case *c, CvVerdict *best, uint32_t *order, const CvVerdict *found) {
  uint32_t count = c->expected->count[found->lane];
  uint32_t at =
      found->index < count ? c->expected->record[found->lane][found->index].order : UINT32_MAX - 1;
  best->wrong++;
  if (at >= *order)
    return;
  uint32_t wrong = best->wrong;
  *order = at;
  *best = *found;
  best->wrong = wrong;
}

static void judge_lane(const Case *c, uint32_t lane, uint32_t pin, CvVerdict *best,
                       uint32_t *order) {
  CvVerdict found = {.state = CV_WRONG, .lane = lane};
  uint32_t count = c->expected->count[lane];
  for (uint32_t k = 0; k < count; k++) {
    const CvRecord *r = &c->expected->record[lane][k];
    found.event = (CvEvent)r->event;
    found.point = r->point;
    found.index = k;
    if (is_right(c, lane, k, &found))
      continue;
    if (pin == CV_NONE || pin == r->point)
      keep_first(c, best, order, &found);
    if (found.fault == CV_PATH)
      return;
  }
  if (count == CV_RECORDS || !record_at(c, lane, count)[0])
    return;
  found.fault = CV_PATH;
  found.point = point_at(c, lane, count);
  found.index = count;
  if (pin == CV_NONE || pin == found.point)
    keep_first(c, best, order, &found);
}

void cv_judge(const CvProgram *program, const CvExpected *expected, uint32_t subgroup_size,
              const uint32_t *told, uint32_t pin, CvVerdict *verdict) {
  const Case c = {program, expected, subgroup_size, told};
  uint32_t order = UINT32_MAX;
  *verdict = (CvVerdict){.state = CV_PASS};
  if (told[0] != subgroup_size) {
    verdict->state = CV_SKIP;
    snprintf(verdict->why, sizeof verdict->why, "the device ran subgroups of %u, not %u", told[0],
             subgroup_size);
    return;
  }
  for (uint32_t lane = 0; lane < subgroup_size * CV_SUBGROUPS; lane++)
    judge_lane(&c, lane, pin, verdict, &order);
}

/* ---- words ---- */

bool cv_same_fault(const CvVerdict *a, const CvVerdict *b) {
  if (a->state != b->state || (a->state == CV_DISPUTE && strcmp(a->why, b->why) != 0))
    return false;
  return a->state != CV_WRONG ||
         (a->fault == b->fault && (a->event == b->event || a->fault == CV_PATH));
}

static const char *const event_names[CV_EVENTS] = {
#define CV_EVENT(id, name, missing) name,
#include "harness/converge/converge_rules.def"
};

void cv_fault_name(const CvVerdict *verdict, char text[64]) {
  static const char *const faults[CV_FAULTS] = {"lanes missing after", "lanes too many after",
                                                "wrong result after", "ballots differ after",
                                                "another path"};
  if (verdict->state != CV_WRONG)
    snprintf(text, 64, "%s%.50s", verdict->state == CV_DISPUTE ? "a bug here: " : "", verdict->why);
  else if (verdict->fault == CV_PATH)
    snprintf(text, 64, "%s", faults[CV_PATH]);
  else
    snprintf(text, 64, "%s: %s", faults[verdict->fault], event_names[verdict->event]);
}

const char *cv_rule(const CvVerdict *verdict, CvMode mode) {
  static const char *const missing[CV_EVENTS] = {
#define CV_EVENT(id, name, rule) rule,
#include "harness/converge/converge_rules.def"
  };
  if (verdict->state == CV_DISPUTE)
    return "none: spv-harness itself is wrong, please report it";
  if (verdict->state != CV_WRONG)
    return "a driver must run every valid module";
  if (verdict->fault == CV_PATH)
    return "the path of an invocation depends on its own values alone (the driver computes or "
           "branches wrongly)";
  if (verdict->fault == CV_UNEQUAL)
    return "Tangle: the invocations that a group operation names all execute this dynamic instance "
           "of it, and get the same ballot";
  if (mode != CV_MAXIMAL && verdict->fault == CV_EXTRA)
    return "Tangle: a group operation is for the invocations that execute this dynamic instance of "
           "it; one of those named does not execute it at all, or control flow is uniform for "
           "fewer";
  if (mode != CV_MAXIMAL)
    return mode == CV_UNIFORM
               ? "Uniform Control Flow for a subgroup (SPV_KHR_subgroup_uniform_control_flow): all "
                 "its invocations execute the same dynamic instance"
               : "Uniform Control Flow: all invocations of the workgroup execute the same dynamic "
                 "instance";
  if (verdict->fault == CV_MISSING || verdict->fault == CV_OTHER)
    return missing[verdict->event];
  return verdict->event == CV_AT_ARM
             ? "Divergence: OpBranchConditional partitions the tangle by Condition"
             : "Non-reconvergence: tangles merge only at merge blocks, continue targets, case "
               "constructs and after OpFunctionCall; those of different iterations stay apart";
}

static void put_set(const CvSet *set, uint32_t size, FILE *out) {
  const char *before = "";
  fputc('{', out);
  for (uint32_t i = 0; i < size; i++) {
    uint32_t last = i;
    if (!cv_set_has(set, i))
      continue;
    while (last + 1 < size && cv_set_has(set, last + 1))
      last++;
    fprintf(out, last > i ? "%s%u-%u" : "%s%u", before, i, last);
    before = " ";
    i = last;
  }
  fputc('}', out);
}

void cv_sets_print(const CvVerdict *v, uint32_t size, FILE *out) {
  fputs("lanes ", out);
  put_set(&v->got, size, out);
  fputs(equal(&v->must, &v->may) ? ", expected " : ", expected at least ", out);
  put_set(&v->must, size, out);
  if (!equal(&v->must, &v->may)) {
    fputs(" and at most ", out);
    put_set(&v->may, size, out);
  }
  fputc('\n', out);
}

void cv_explain(const CvProgram *program, const CvVerdict *v, uint32_t size, FILE *out) {
  if (v->state != CV_WRONG) {
    fprintf(out, "%s\n", v->why);
    return;
  }
  fprintf(out, "point %u, lane %u of subgroup %u, its observation %u: ", v->point, v->lane % size,
          v->lane / size, v->index);
  if (v->fault == CV_PATH) {
    fputs("the lane took another path\n", out);
    return;
  }
  if (v->point < CV_STATEMENTS && program->at[v->point].tell > CV_VOTE) {
    fprintf(out, "%u, expected %u\n", v->got.word[0], v->must.word[0]);
    return;
  }
  cv_sets_print(v, size, out);
}
