/* SPDX-License-Identifier: Apache-2.0 */
/* batch_search: see batch_search.h. */
#include "harness/base/batch_search.h"

bool hn_batch_search(const HnBatchSearch *s, uint32_t count, uint32_t stride) {
  bool any = false;
  for (uint32_t next = 0; next < count && s->may_go_on(s->user);) {
    for (uint32_t filled = 0; next < count && filled < s->batch; next += stride)
      filled += s->make(s->user, next);
    any |= s->judge(s->user, &next, &count);
  }
  return any;
}
