/* SPDX-License-Identifier: Apache-2.0 */
/* check_pair: see check_pair.h. */
#include "tests/unit/check_pair.h"
#include "tests/unit/unit.h"

#include <stdlib.h>
#include <string.h>

Words pair_words(const char *text) {
  spvreconv_options o;
  spvreconv_options_init(&o, sizeof o);
  o.transform = "none";
  spvreconv_result *r;
  if (spvreconv_run_text(&o, text, strlen(text), &r) != SPVRECONV_OK)
    fail_msg("%s in\n%s", spvreconv_result_message(r), text);
  Words w;
  const uint32_t *words = spvreconv_result_words(r, &w.count);
  w.at = malloc(w.count * sizeof *w.at);
  memcpy(w.at, words, w.count * sizeof *w.at);
  spvreconv_result_destroy(r);
  return w;
}

spvreconv_check pair_compare_as(const char *transform, const char *before, const char *after,
                                const char *difference) {
  Words a = pair_words(before), b = pair_words(after);
  spvreconv_options o;
  spvreconv_options_init(&o, sizeof o);
  o.transform = transform;
  spvreconv_result *r;
  spvreconv_status status = spvreconv_compare(&o, a.at, a.count, b.at, b.count, &r);
  const char *message = spvreconv_result_message(r);
  if (status != (difference ? SPVRECONV_BUG : SPVRECONV_OK) ||
      (difference && !strstr(message, difference)))
    fail_msg("status %d, message '%s', wanted '%s'\n%s", (int)status, message,
             difference ? difference : "equal", after);
  spvreconv_check found = *spvreconv_result_check(r);
  assert_int_equal(found.differences, difference ? 1 : 0);
  spvreconv_result_destroy(r);
  free(a.at);
  free(b.at);
  return found;
}

spvreconv_check pair_compare(const char *before, const char *after, const char *difference) {
  return pair_compare_as("auto", before, after, difference);
}
