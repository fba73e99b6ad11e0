/* SPDX-License-Identifier: Apache-2.0 */
/* page_data: the contents of the page, as one JSON object.
 *
 *   results, against  names of the files; against null: none
 *   totals  [{device, variant, outcomes: {NAME: count}}], by device and variant
 *   changes {KIND: count} of the changes, including those left out of rows; against null: null
 *   rows    what failed or is a flake, and what changed; regressions first, then what fails as
 *           before, fixes, other changes: {case, device, variant, outcome (null: not run), message,
 *           was (the older outcome; null: not run), change ("regression", "fix", "other"; null:
 *           none), artifacts (null: there are none, else those of artifacts.h: folder, command,
 *           differs_from, notes, buffers, whose pictures are data URIs)}
 *   rows_left_out, pictures_left_out: how many did not fit
 *
 * `was` and `change` exist only with an older database. */
#ifndef HN_PAGE_DATA_H
#define HN_PAGE_DATA_H

#include "harness/page/page.h"

#include <jansson.h>

/* Free it with json_decref. NULL: *message is one line, which the caller frees. */
json_t *hn_page_data(const HnPage *page, char **message);

#endif
