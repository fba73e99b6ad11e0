/* SPDX-License-Identifier: Apache-2.0 */
/* page_artifacts: the artifacts of failures, as a page shows them. */
#ifndef HN_PAGE_ARTIFACTS_H
#define HN_PAGE_ARTIFACTS_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

typedef struct HnPageArtifacts {
  char **folders; /* folders of runs; a failure's artifacts are those in the last folder that has
                     them */
  size_t count;
  size_t bytes;    /* bytes of all pictures so far */
  size_t left_out; /* pictures that did not fit, or cannot be read */
} HnPageArtifacts;

/* Finds the folders that the database names; `more`: another one, NULL: none. On false *message is
 * one line. */
bool hn_page_artifacts_find(HnPageArtifacts *artifacts, const char *results, const char *more,
                            char **message);
/* The failure.json of a result, with its folder, and with pictures as data URIs in place of their
 * names; json_null if no folder has one with the result's outcome and message (for a flake, any
 * message will do). */
json_t *hn_page_artifacts_of(HnPageArtifacts *artifacts, const char *path, const char *device,
                             const char *variant, const char *outcome, const char *message);
void hn_page_artifacts_free(HnPageArtifacts *artifacts);

#endif
