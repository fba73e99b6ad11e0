/* SPDX-License-Identifier: Apache-2.0 */
/* key: see key.h. */
#include "harness/layer/key.h"

LyHash ly_key(LyHash module, const LyMadeBy *made_by) {
  const LyHash both[] = {module, ly_hash(made_by, sizeof *made_by)};
  return ly_hash(both, sizeof both);
}
