/* SPDX-License-Identifier: Apache-2.0 */
/* page: a results database as one HTML page that needs no other file and no network. */
#ifndef HN_PAGE_H
#define HN_PAGE_H

#include <stdbool.h>

typedef struct HnPage {
  const char *results; /* the database */
  const char *against; /* an older database to compare with; NULL: none */
  /* A further folder of artifacts, besides those that the database names; NULL: none. */
  const char *artifacts;
} HnPage;

/* The page. The caller frees it. NULL: *message is one line, which the caller frees. */
char *hn_page_make(const HnPage *page, char **message);

#endif
