/* SPDX-License-Identifier: Apache-2.0 */
/* batch_search: the search of delta debugging (Zeller and Hildebrandt, IEEE TSE 2002), for reducers.
 * Steps are tried in order, in batches of candidates that can be judged in parallel. Of a batch the
 * first candidate that still fails is taken, so that the result does not depend on how many are
 * judged at a time, if candidates of equal steps are equal. */
#ifndef HN_BATCH_SEARCH_H
#define HN_BATCH_SEARCH_H

#include <stdbool.h>
#include <stdint.h>

typedef struct HnBatchSearch {
  void *user;
  uint32_t batch; /* candidates at a time */
  /* Adds the candidate of a step to the batch. False: the step changes nothing. */
  bool (*make)(void *user, uint32_t step);
  /* Judges the batch, which may be empty, and empties it. True: a candidate was taken; then *next is
   * the step to go on with, and *count how many there are now. */
  bool (*judge)(void *user, uint32_t *next, uint32_t *count);
  bool (*may_go_on)(void *user);
} HnBatchSearch;

/* Tries steps 0, `stride`, 2 `stride`, … below `count`. Was any candidate taken? */
bool hn_batch_search(const HnBatchSearch *search, uint32_t count, uint32_t stride);

#endif
