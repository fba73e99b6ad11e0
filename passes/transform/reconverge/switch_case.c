/* SPDX-License-Identifier: Apache-2.0 */
/* switch_case: see switch_case.h. */
#include "passes/transform/reconverge/switch_case.h"

#include "passes/base/sort.h"
#include "passes/ir/edit.h"

static int by_place(const void *a, const void *b) {
  const SrSwitchCase *x = a, *y = b;
  if (x->place != y->place)
    return x->place < y->place ? -1 : 1;
  return (x->at > y->at) - (x->at < y->at);
}

uint32_t sr_switch_cases(SrArena *scratch, const SrModule *m, SrRef end, const uint32_t *place_of,
                         SrSwitchCase *cases) {
  const uint32_t *w = sr_words(m, end);
  uint32_t first = sr_next_target(m, end, 0), before = first, n = 0;
  for (uint32_t i = first; (i = sr_next_target(m, end, i)); before = i)
    if (w[i] != w[first])
      cases[n++] = (SrSwitchCase){before + 1, i - before - 1, w[i], place_of[sr_block_of(m, w[i])]};
  sr_sort(scratch, cases, n, sizeof *cases, by_place);
  return n;
}

SrRef sr_switch_make(SrModule *m, SrRef end, const SrSwitchCase *cases, uint32_t count,
                     uint32_t target, uint32_t rest) {
  uint32_t selector = sr_words(m, end)[1];
  sr_begin(m, SpvOpSwitch, 0, 0);
  sr_put_id(m, selector);
  sr_put_id(m, rest);
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t k = 0; k < cases[i].words; k++) {
      uint32_t word = sr_words(m, end)[cases[i].at + k];
      sr_put_literal(m, word);
    }
    sr_put_id(m, target ? target : cases[i].target);
  }
  return sr_end(m);
}
