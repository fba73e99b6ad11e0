/* cases: the case files that a run is about. */
#ifndef HN_CASES_H
#define HN_CASES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct HnCases {
  char **paths; /* sorted, each once */
  size_t count;
} HnCases;

/* Every file given, and every *.amber below every folder given; those alone that match the shell
 * pattern `filter` (NULL: all) with their whole path or their end. On false *message is one line,
 * to be freed. */
bool hn_cases_find(char *const *given, int count, const char *filter, HnCases *cases,
                   char **message);
/* Keeps the cases of shard `index` (from 1) of `of`. */
void hn_cases_shard(HnCases *cases, unsigned index, unsigned of);
void hn_cases_free(HnCases *cases);

#endif
