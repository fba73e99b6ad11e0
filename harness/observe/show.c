/* SPDX-License-Identifier: Apache-2.0 */
/* show: see show.h. */
#include "harness/observe/show.h"

#include <stdio.h>

enum { MOST_PLACES = 10 };

/* The place after `last`, in the order of the first wrong observation; SR_NONE: there is none. */
static uint32_t next_place(const ObCase *c, const ObTotals *t, uint32_t last) {
  uint32_t best = SR_NONE;
  for (uint32_t i = 0; i < c->points->count; i++) {
    uint32_t at = t->at[i].first.index;
    if (!t->at[i].wrong)
      continue;
    bool later = last == SR_NONE || at > t->at[last].first.index ||
                 (at == t->at[last].first.index && i > last);
    if (later && (best == SR_NONE || at < t->at[best].first.index))
      best = i;
  }
  return best;
}

static const char *text_of(const ObCase *c, uint32_t point) {
  return point == SR_NONE ? "its end" : c->points->at[point].text;
}

static void print_path(const ObCase *c, const ObFinding *f) {
  if (f->impossible)
    printf("the lane continues at %s, to which no branch leads\n",
           f->first.point == SR_NONE ? "a place that does not exist" : text_of(c, f->first.point));
  else
    printf("the lane goes to %s, in the emulator to %s\n", text_of(c, f->first.point),
           text_of(c, f->other));
}

static void print_place(const ObCase *c, const ObTotals *t, uint32_t point) {
  const ObFinding *f = &t->at[point];
  char name[64];
  cv_fault_name(&f->first, name);
  printf("%s: %s\n", c->points->at[point].text, name);
  if (f->first.fault == CV_PATH)
    printf("  %zu wrong; the first:", f->wrong);
  else
    printf("  %zu of %zu observations wrong; the first:", f->wrong, f->seen);
  printf(" workgroup %u, lane %u of subgroup %u, its observation %u: ", f->workgroup, f->first.lane,
         f->subgroup, f->first.index);
  if (f->first.fault == CV_PATH)
    print_path(c, f);
  else
    cv_sets_print(&f->first, t->size, stdout);
  printf("  rule: %s\n", cv_rule(&f->first, c->mode));
}

static void print_places(const ObCase *c, const ObTotals *t) {
  uint32_t shown = 0, more = 0;
  for (uint32_t i = next_place(c, t, SR_NONE); i != SR_NONE && shown < MOST_PLACES;
       i = next_place(c, t, i), shown++)
    print_place(c, t, i);
  for (uint32_t i = 0; i < c->points->count; i++)
    more += t->at[i].wrong != 0;
  if (more > shown)
    printf("and %u more places\n", more - shown);
}

static void print_left_out(const ObCase *c, const ObTotals *t) {
  if (t->cut)
    printf("not compared: what follows the first %u observations of %zu invocations, which have "
           "more: give fewer workgroups\n",
           c->records, t->cut);
  if (t->open)
    printf("not compared: the rest of %zu paths, which differ from the emulator's after an atomic "
           "operation, or a group operation whose tangle is not promised\n",
           t->open);
}

void ob_show(const char *pipeline, const ObCase *c, const ObTotals *t) {
  printf("pipeline %s: %u points, %zu invocations, %zu observations\n", pipeline, c->points->count,
         t->paths, t->observations);
  if (t->broken)
    puts("two invocations have the same SubgroupId and SubgroupLocalInvocationId, or one of these "
         "is too large");
  else
    print_places(c, t);
  print_left_out(c, t);
}

void ob_show_dispute(const ObCase *c, const ObTotals *t) {
  puts("a bug here: the emulator and the model of the specification disagree; please report it");
  print_places(c, t);
}
