/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_amber: the AmberScript parser. */
#include "amber_judge.h"
#include "fuzz.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  AmberMessage message = {0};
  if (amber_judge((const char *)data, size, &message) < 0)
    fuzz_die("does not hold: %s", message.text);
  return 0;
}
