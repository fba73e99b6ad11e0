/* SPDX-License-Identifier: Apache-2.0 */
/* transform_lists: see spv_emu_transform_list. `best` chooses among its lists by an estimate; a run
 * on real data may find another one better, and lists that cost too much in general may pay. */
#include <spv-emu/spv_emu.h>
#include <string.h>

static const struct {
  const char *transforms, *order, *paths;
} lists[] = {
    {"best", NULL, "ANY"},
#define SR_CANDIDATE(transforms, order, paths) {transforms, order, #paths},
#include "passes/best/best.def"
#undef SR_CANDIDATE
    {"inline,structurize", NULL, "ANY"},
    {"inline,strip-merges,structurize", NULL, "ANY"},
    {"inline,meld,structurize", NULL, "ANY"},
    {"inline,merge-iterations,structurize", NULL, "ANY"},
    {"merge-iterations:all,structurize", NULL, "ANY"},
    {"speculative:all,structurize", NULL, "ANY"},
    {"share-calls:all,structurize", NULL, "ANY"},
};

const char *spv_emu_transform_list(uint32_t index, const char **order) {
  for (uint32_t i = 0; i < sizeof lists / sizeof *lists; i++) {
    if (strcmp(lists[i].paths, "RECORDED") == 0) /* it needs a profile */
      continue;
    if (index-- == 0) {
      *order = lists[i].order;
      return lists[i].transforms;
    }
  }
  return NULL;
}
