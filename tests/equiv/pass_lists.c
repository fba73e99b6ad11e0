/* SPDX-License-Identifier: Apache-2.0 */
/* pass_lists: see pass_lists.h. */
#include "tests/equiv/pass_lists.h"

#include "passes/driver/pass.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

typedef struct Row {
  const char *name, *tests, *modules;
} Row;

static const Row rows[] = {
#define SR_PASS(name, argument, tests, modules, ...) {name, tests, modules},
#include "passes/driver/pass.def"
#undef SR_PASS
};

enum { MOST = 64 };

static PassList lists[MOST];
static uint32_t list_count;

static bool needs(const Row *row, const char *option) {
  return row->modules && strstr(row->modules, option);
}

static void add_list(const Row *row, const char *argument, int length) {
  const SrPass *pass = sr_pass_find(row->name, strlen(row->name));
  bool keeps = pass->keeps & SR_STRUCTURED, loose = pass->makes & SR_LOOSE;
  assert(list_count < MOST);
  PassList *list = &lists[list_count++];
  *list = (PassList){.calls = needs(row, "--calls"), .once = needs(row, "--once")};
  char alone[sizeof list->alone];
  bool none = length == 1 && *argument == '-';
  snprintf(alone, sizeof alone, "%s%s%.*s", row->name, none ? "" : ":", none ? 0 : length,
           argument);
  memcpy(list->alone, alone, sizeof alone);
  snprintf(list->structured, sizeof list->structured, "%s%s%s", keeps ? "structurize," : "", alone,
           !keeps && loose ? ",structurize" : "");
}

static void read_rows(void) {
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    for (const char *at = rows[i].tests; *at; at += strspn(at, " ")) {
      size_t length = strcspn(at, " ");
      add_list(&rows[i], at, (int)length);
      at += length;
    }
}

const PassList *pass_lists_at(uint32_t index) {
  return index < pass_lists_count() ? &lists[index] : NULL;
}

uint32_t pass_lists_count(void) {
  if (!list_count)
    read_rows();
  return list_count;
}

const char *pass_lists_structured(uint32_t index, const char *const *more) {
  const PassList *list = pass_lists_at(index);
  uint32_t rest = list ? 0 : index - pass_lists_count();
  while (!list && rest && *more)
    more++, rest--;
  return list ? list->structured : *more;
}
