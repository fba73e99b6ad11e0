/* SPDX-License-Identifier: Apache-2.0 */
/* Walks that aim at edges of the output (docs/check.md), on code that a transform copied: the copy
 * at the end of one of many paths. */
#include "tests/unit/check_pair.h"
#include "tests/unit/unit.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 12, ROOM = 32768 };

typedef struct Program {
  char text[ROOM];
  size_t count;
} Program;

__attribute__((format(printf, 2, 3))) static void put(Program *p, const char *format, ...) {
  va_list list;
  va_start(list, format);
  p->count += (size_t)vsnprintf(p->text + p->count, ROOM - p->count, format, list);
  va_end(list);
}

/* Diamond i: block LABEL tests what it loads; the arms end in THEN and ELSE. Ids are from `first`
 * on: the block, its load, its test, the two arms. */
static void diamond(Program *p, int first, int left, int right, int next) {
  put(p, "%%%d = OpLabel\n%%%d = OpLoad %%4 %%21\n%%%d = OpULessThan %%3 %%%d %%7\n", first,
      first + 1, first + 2, first + 1);
  put(p, "OpBranchConditional %%%d %%%d %%%d\n", first + 2, left, right);
  put(p, "%%%d = OpLabel\nOpStore %%22 %%6\nOpBranch %%%d\n", left, next);
}

static int original(int i) {
  return 100 + 10 * i;
}

static int copy(int i) {
  return 1000 + 10 * i;
}

/* The diamonds one after the other. `copied`: lanes that always take the left arm have copies of
 * all blocks, at the end of which `stored` is stored. */
static char *diamonds(bool copied, const char *stored) {
  Program *p = calloc(1, sizeof *p);
  put(p, "OpBranch %%%d\n", copied ? copy(0) : original(0));
  for (int i = 0; copied && i < DEPTH; i++)
    diamond(p, copy(i), copy(i) + 3, original(i) + 4, copy(i + 1));
  if (copied)
    put(p, "%%%d = OpLabel\nOpStore %%23 %s\nOpReturn\n", copy(DEPTH), stored);
  for (int i = 0; i < DEPTH; i++) {
    if (!copied || i > 0)
      diamond(p, original(i), original(i) + 3, original(i) + 4, original(i + 1));
    put(p, "%%%d = OpLabel\nOpStore %%22 %%7\nOpBranch %%%d\n", original(i) + 4, original(i + 1));
  }
  put(p, "%%%d = OpLabel\nOpStore %%23 %%5\n", original(DEPTH));
  const char *shell = BODY("%30"), *at = strstr(shell, "%30");
  char *text = calloc(1, 2 * ROOM);
  snprintf(text, 2 * ROOM, "%.*s%s%s", (int)(at - shell), shell, p->text, at + strlen("%30"));
  free(p);
  return text;
}

static void test_last_copy(void **state) {
  (void)state;
  char *before = diamonds(false, ""), *right = diamonds(true, "%5"), *wrong = diamonds(true, "%6");
  spvreconv_check c = pair_compare(before, right, NULL);
  assert_int_equal(c.edges, 4 * DEPTH + 1);
  assert_int_equal(c.edges_covered, c.edges);
  assert_int_equal(c.output_edges, 7 * DEPTH - 2);
  assert_int_equal(c.output_edges_covered, c.output_edges);
  assert_int_equal(c.output_pairs_covered, c.output_pairs);
  pair_compare(before, wrong, "an operand has a different value");
  free(before);
  free(right);
  free(wrong);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(test_last_copy)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
