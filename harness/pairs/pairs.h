/* SPDX-License-Identifier: Apache-2.0 */
/* pairs: two folders of modules or shaders, such as the output of two versions of a compiler. Files
 * with the same path below their folder are a pair. */
#ifndef HN_PAIRS_H
#define HN_PAIRS_H

#include "passes/tool/tool_source.h"
#include "spv-emu/cases/given_options.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

enum { HN_PAIR_POLICIES = 16 };

typedef struct HnPairsOptions {
  const char *folders[2]; /* old, new */
  ToolSource source;
  EmuGiven *given;             /* what the modules run on; the rest is made up for each pair */
  const char *const *policies; /* the first one also runs for the outputs; NULL: the default */
  uint32_t policy_count;
  uint32_t subgroup_size;
  uint64_t max_issues; /* limit for a module under a policy */
  uint64_t ulps;       /* units in the last place by which floats may differ */
  unsigned jobs;       /* number of processes at a time */
  double timeout;      /* seconds for a pair */
  const char *filter;  /* a pattern for the paths; NULL: all */
} HnPairsOptions;

/* A module of a pair. Texts may be cut off. */
typedef struct HnPairSide {
  bool counted; /* `instructions` and `blocks` are known */
  uint64_t instructions, blocks;
  char why[400]; /* why it cannot run; empty: it can */
} HnPairSide;

/* A module under a policy. */
typedef struct HnPairRun {
  bool ran;
  char policy[24];        /* its name */
  char why[200];          /* why it did not run; empty: it was not meant to run */
  uint64_t issued, lanes; /* sum of the active lanes over the issues */
} HnPairRun;

/* The tangles of the two modules under a policy. */
typedef struct HnPairTangles {
  bool compared;      /* both modules ran */
  uint64_t different; /* lanes that run other subgroup operations, or run them with other lanes */
  char first[400];    /* the first difference */
} HnPairTangles;

typedef enum HnPairChange {
  HN_PAIR_WRONG,  /* the outputs differ */
  HN_PAIR_BROKEN, /* only the old module runs */
  HN_PAIR_FIXED,  /* only the new module runs */
  HN_PAIR_OTHER,  /* only figures or tangles differ */
  HN_PAIR_SAME,
  HN_PAIR_CHANGES,
} HnPairChange;

typedef struct HnPair {
  const char *path; /* below the folders; owned by the list */
  HnPairSide side[2];
  HnPairRun runs[2][HN_PAIR_POLICIES]; /* by side, policy */
  HnPairTangles tangles[HN_PAIR_POLICIES];
  bool compared;      /* the outputs were compared */
  uint64_t wrong;     /* number of numbers that differ, without those that depend on the device */
  uint32_t groups[3]; /* the smaller dispatch whose outputs were compared, since workgroups of the
                         larger one race; 0: the outputs are those of the runs */
  uint64_t doubtful;  /* number of numbers that differ and depend on the device */
  char first[300];    /* the first number that differs */
  int phase; /* what is being measured: 0: old module, 1: new module, 2: outputs, 3: nothing */
} HnPair;

typedef struct HnPairs {
  const HnPairsOptions *options;
  HnPair *at; /* in memory that processes share; sorted by hn_pairs_sort after they were measured */
  size_t count, done;
  size_t bytes;    /* size of that memory */
  char **paths;    /* of the pairs */
  char **alone[2]; /* paths that exist in one folder only */
  size_t alone_count[2];
  bool interrupted;
} HnPairs;

/* pairs.c: finds the pairs. False: *message is one line, which the caller frees. Free *pairs with
 * hn_pairs_free in either case. */
bool hn_pairs_find(const HnPairsOptions *options, HnPairs *pairs, char **message);
void hn_pairs_free(HnPairs *pairs);

/* pair_measure.c: runs both modules of a pair. To be called in child processes: the modules may be
 * slow, or end the process. */
void hn_pair_measure(const HnPairsOptions *options, HnPair *pair);

/* pairs_run.c: measures all pairs, each in a process, and sorts them. False: as above. */
bool hn_pairs_run(HnPairs *pairs, char **message);

/* pairs_sum.c: what has changed. */
HnPairChange hn_pair_change(const HnPairsOptions *options, const HnPair *pair);
/* New issues per old issue under a policy; 0: one of the two modules did not run. */
double hn_pair_ratio(const HnPair *pair, uint32_t policy);
/* Average active lanes of an issue. */
double hn_pair_lanes(const HnPairRun *run);
/* Sorts by hn_pair_ratio under the first policy, the largest first, then by the growth in size. */
void hn_pairs_sort(HnPairs *pairs);
typedef struct HnPairsMean {
  double ratio;       /* the geometric mean of the ratios; 0: there are none */
  size_t modules;     /* number of modules that have a ratio */
  size_t more, fewer; /* numbers of new modules that issue more; that issue fewer */
} HnPairsMean;

HnPairsMean hn_pairs_mean(const HnPairs *pairs, uint32_t policy);
/* Sets counts[c] to the number of pairs with change c, for each c. */
void hn_pairs_count(const HnPairs *pairs, size_t counts[HN_PAIR_CHANGES]);
/* "wrong result", "no longer runs", "runs now", "changed", "same". */
const char *hn_pair_change_name(HnPairChange change);

/* pairs_text.c, pairs_json.c, pairs_csv.c: print the pairs. hn_pairs_json returns false if memory
 * runs out. */
void hn_pairs_text(const HnPairs *pairs, FILE *out);
bool hn_pairs_json(const HnPairs *pairs, FILE *out);
void hn_pairs_csv(const HnPairs *pairs, FILE *out);

#endif
