/* SPDX-License-Identifier: Apache-2.0 */
/* converge_reduce: see converge_reduce.h.
 *
 * Hierarchical delta debugging (Misherghi and Su, ICSE 2006) with edits that keep programs valid: a
 * statement is removed, or one of its blocks takes its place; what remains is simplified. An edit
 * stays if the observation that failed first still fails in the same way (batch_search.h). The search
 * ends when no edit helps: each accepted edit makes the program smaller or simpler. */
#include "harness/converge/converge_reduce.h"

#include "harness/base/batch_search.h"

#include <stdlib.h>
#include <string.h>

/* A failure may be that a program does not end: each run of one takes all the time that it may. */
enum { BATCH = 8, MOST_RUNS = 1500, MOST_FAILURES = 80 };

typedef enum Edit {
  REMOVE,
  PART,                     /* by part 0 … */
  DROP = PART + CV_PARTS,   /* part 0 … becomes empty */
  INLINE = DROP + CV_PARTS, /* a call becomes the callee's statements */
  NO_TELLS,
  NO_COUNTER,
  NO_OTHER,
  NO_FALLS,
  LESS_CASES,
  PLAIN_LOOP,
  BALLOT,
  SIMPLE_ROW, /* the row becomes a row of `simple` */
} Edit;

static const uint8_t simple[] = {12, 16, 20, 1};

enum { SIMPLE = sizeof simple, EDITS = SIMPLE_ROW + SIMPLE };

/* ---- the tree ---- */

static uint32_t *link_in(CvProgram *p, uint32_t *first, uint32_t wanted) {
  for (uint32_t *link = first; *link != CV_NONE; link = &p->at[*link].next) {
    if (*link == wanted)
      return link;
    for (uint32_t i = 0; i < cv_parts(&p->at[*link]); i++) {
      uint32_t *found = link_in(p, &p->at[*link].parts[i], wanted);
      if (found)
        return found;
    }
  }
  return NULL;
}

/* What refers to the statement; NULL: it is no longer in the program. */
static uint32_t *link_to(CvProgram *p, uint32_t wanted) {
  for (uint32_t f = 0; f < p->function_count; f++) {
    uint32_t *found = link_in(p, &p->functions[f], wanted);
    if (found)
      return found;
  }
  return NULL;
}

/* Puts the list in the place of the statement that `link` refers to. */
static void replace(CvProgram *p, uint32_t *link, uint32_t list) {
  uint32_t rest = p->at[*link].next;
  *link = list;
  while (*link != CV_NONE)
    link = &p->at[*link].next;
  *link = rest;
}

static uint32_t calls(const CvProgram *p, uint32_t first, uint32_t callee) {
  uint32_t count = 0;
  for (uint32_t s = first; s != CV_NONE; s = p->at[s].next) {
    count += p->at[s].kind == CV_CALL && p->at[s].callee == callee;
    for (uint32_t i = 0; i < cv_parts(&p->at[s]); i++)
      count += calls(p, p->at[s].parts[i], callee);
  }
  return count;
}

static bool returns(const CvProgram *p, uint32_t first) {
  for (uint32_t s = first; s != CV_NONE; s = p->at[s].next) {
    if (p->at[s].kind == CV_RETURN)
      return true;
    for (uint32_t i = 0; i < cv_parts(&p->at[s]); i++)
      if (returns(p, p->at[s].parts[i]))
        return true;
  }
  return false;
}

static bool make_inline(CvProgram *p, uint32_t *link) {
  uint32_t callee = p->at[*link].callee, count = 0, list = p->functions[callee];
  for (uint32_t f = 0; f < p->function_count; f++)
    count += calls(p, p->functions[f], callee);
  if (count != 1 || returns(p, list))
    return false;
  p->functions[callee] = CV_NONE;
  replace(p, link, list);
  return true;
}

/* ---- edits ---- */

static bool change(bool *flag) {
  bool was = *flag;
  *flag = false;
  return was;
}

static bool uses_row(const CvStatement *s) {
  return s->kind == CV_IF || s->kind == CV_LOOP || s->kind == CV_SWITCH ||
         (s->kind == CV_TELL && s->tell == CV_VOTE);
}

static bool set_byte(uint8_t *byte, uint8_t value) {
  bool changes = *byte != value;
  *byte = value;
  return changes;
}

static bool simplify(CvStatement *s, Edit edit) {
  switch (edit) {
  case NO_TELLS:
    return s->kind == CV_LOOP && change(&s->tells);
  case NO_COUNTER:
    return change(&s->counter);
  case NO_OTHER:
    return change(&s->has_other);
  case NO_FALLS:
    return s->kind == CV_SWITCH && set_byte(&s->falls, 0);
  case LESS_CASES:
    if (s->kind != CV_SWITCH || s->cases < 2)
      return false;
    s->cases--;
    s->falls &= (uint8_t)((1u << (s->cases - 1)) - 1);
    return true;
  case PLAIN_LOOP:
    return s->kind == CV_LOOP && set_byte(&s->loop, CV_FOR);
  case BALLOT:
    return s->kind == CV_TELL && set_byte(&s->tell, CV_BALLOT);
  default:
    break;
  }
  for (uint32_t i = 0; i < (uint32_t)(edit - SIMPLE_ROW); i++)
    if (s->row == simple[i])
      return false; /* it is simpler already */
  return uses_row(s) && set_byte(&s->row, simple[edit - SIMPLE_ROW]);
}

/* False: the edit changes nothing, or gives no valid program. */
static bool apply(CvProgram *p, uint32_t statement, uint32_t edit, uint32_t pin) {
  uint32_t *link = link_to(p, statement);
  CvStatement *s = &p->at[statement];
  bool changed = false;
  if (!link)
    return false;
  if (edit == REMOVE) {
    changed = !cv_holds(p, statement, pin) || s->kind == CV_CALL;
    replace(p, link, CV_NONE);
  } else if (edit < DROP) {
    changed = edit - PART < cv_parts(s) && s->parts[edit - PART] != CV_NONE;
    if (changed)
      replace(p, link, s->parts[edit - PART]);
  } else if (edit < INLINE) {
    changed = edit - DROP < cv_parts(s) && s->parts[edit - DROP] != CV_NONE;
    if (changed)
      s->parts[edit - DROP] = CV_NONE;
  } else if (edit == INLINE) {
    changed = s->kind == CV_CALL && make_inline(p, link);
  } else {
    changed = simplify(s, (Edit)edit);
  }
  cv_tidy(p);
  return changed && cv_is_valid(p) && cv_model_fits(p);
}

/* ---- the search ---- */

typedef struct Search {
  const CvDevice *device;
  CvProgram *best;
  CvVerdict *verdict;
  uint32_t pin, runs, most, edit;
  CvProgram batch[BATCH];
  CvVerdict verdicts[BATCH];
  uint32_t steps[BATCH];
  uint32_t count;
  bool good;
} Search;

/* Takes the first candidate of the batch that fails as the program does. */
static bool judge(void *user, uint32_t *next, uint32_t *count) {
  Search *s = user;
  uint32_t first = s->count;
  if (s->count) {
    s->runs += s->count;
    s->good = cv_device_run(s->device, s->batch, s->count, s->pin, s->verdicts, NULL);
    for (first = 0; s->good && first < s->count; first++)
      if (cv_same_fault(&s->verdicts[first], s->verdict))
        break;
  }
  bool taken = s->good && first < s->count;
  if (taken) {
    *s->best = s->batch[first];
    *s->verdict = s->verdicts[first];
    *next = s->steps[first] + 1;
    *count = s->best->count;
  }
  s->count = 0;
  return taken;
}

/* Step 0 is the last statement: later statements contain those before. */
static bool make(void *user, uint32_t step) {
  Search *s = user;
  CvProgram *candidate = &s->batch[s->count];
  *candidate = *s->best;
  if (!apply(candidate, s->best->count - 1 - step, s->edit, s->pin))
    return false;
  s->steps[s->count++] = step;
  return true;
}

static bool may_go_on(void *user) {
  const Search *s = user;
  return s->good && s->runs < s->most;
}

bool cv_reduce(const CvDevice *device, CvProgram *program, CvVerdict *verdict, uint32_t *runs) {
  Search *s = calloc(1, sizeof *s);
  if (!s)
    return false;
  *s = (Search){.device = device,
                .best = program,
                .verdict = verdict,
                .good = true,
                .most = verdict->state == CV_FAILS ? MOST_FAILURES : MOST_RUNS,
                .pin = verdict->state == CV_WRONG ? verdict->point : CV_NONE};
  const HnBatchSearch search = {s, BATCH, make, judge, may_go_on};
  for (bool helped = true; helped && may_go_on(s);) {
    helped = false;
    for (s->edit = 0; s->edit < EDITS; s->edit++)
      helped |= hn_batch_search(&search, s->best->count, 1);
  }
  *runs = s->runs;
  bool good = s->good;
  free(s);
  return good;
}
