/* SPDX-License-Identifier: Apache-2.0 */
/* cases: finds the case files of a run. */
#ifndef HN_CASES_H
#define HN_CASES_H

#include "passes/tool/tool_left_out.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct HnCases {
  char **paths;
  size_t count;
  ToolLeftOut left_out; /* shaders below the folders */
} HnCases;

typedef struct HnCaseOptions {
  const char *filter;     /* shell pattern that a path or its end must match; NULL: all do */
  bool modules;           /* bare modules count as cases */
  unsigned shard, shards; /* only part `shard`, from 1, of `shards` equal parts */
} HnCaseOptions;

/* Finds every given file, and every *.amber (with `modules` *.spv and *.spvasm, too) below every
 * given folder, sorted, each file once. Adds to *cases; on false *message is one line, which the
 * caller frees. */
bool hn_cases_find(char *const *given, int count, const HnCaseOptions *options, HnCases *cases,
                   char **message);
/* Adds the paths in the file `list` ("-": standard input), one per line, unchanged. The files are
 * not opened, and only the shard is held in memory, since a list may have millions of paths. */
bool hn_cases_list(const char *list, const HnCaseOptions *options, HnCases *cases, char **message);
/* Keeps only the first of equal paths, since results and artifacts are found by path. False: out of
 * memory. */
bool hn_cases_once(HnCases *cases);
void hn_cases_free(HnCases *cases);

#endif
