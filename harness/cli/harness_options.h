/* SPDX-License-Identifier: Apache-2.0 */
/* harness_options: the command line of spv-harness. */
#ifndef HN_HARNESS_OPTIONS_H
#define HN_HARNESS_OPTIONS_H

#include "harness/converge/converge.h"
#include "passes/tool/tool_source.h"
#include "spv-emu/cases/given_options.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum HnCommand {
  HN_RUN,
  HN_LIST_DEVICES,
  HN_COMPARE,
  HN_REPORT,
  HN_MERGE,
  HN_DUMP,
  HN_MODULES,
  HN_KERNELS,
  HN_NEW,
  HN_REDUCE,
  HN_CONVERGE,
  HN_FIT
} HnCommand;

typedef struct HnOptions {
  HnCommand command;
  char *const *typed; /* the command line as typed, ends with NULL */
  char **operands;    /* in argv */
  int operand_count;
  const char *device, *against, *filter, *list, *results, *junit, *artifacts, *output;
  const char **reuse; /* files; the array is owned, the strings are in argv */
  int reuse_count;
  const char **settings; /* NAME=VALUE; the array is owned */
  int setting_count;
  char **variants; /* owned, like the strings */
  uint32_t variant_count;
  unsigned jobs, shard, shards, retries, emu_subgroup_size;
  unsigned subgroup_size; /* for converge; 0: the device's */
  uint64_t ulps;
  uint64_t max_issues;   /* limit for a module under a policy, when folders are compared */
  double timeout;        /* seconds */
  EmuGiven given;        /* what shaders and modules without a case run on, and the seed */
  const char **policies; /* names; NULL in the array: the default one. Owned */
  uint32_t policy_count;
  const char *policy; /* --policy as given; NULL: not */
  uint64_t count;     /* number of programs */
  uint64_t max_runs;  /* of reduce */
  unsigned reduce;    /* number of failures that converge reduces */
  bool two_exits;     /* for converge */
  bool table;         /* for converge */
  CvMode mode;        /* for converge and fit */
  bool mode_given;
  const char *write; /* the folder for cases of converge and fit; NULL: none */
  bool folders;      /* compare was given two folders */
  bool validation, check, resume, json, csv;
  ToolSource source; /* how shaders are compiled */
} HnOptions;

/* `typed`: the arguments as typed, before @FILE was replaced by the arguments in that file. False:
 * exit with *code; a message, or the help, has been printed. */
bool hn_options_read(HnOptions *options, int argc, char **argv, char *const *typed, int *code);
void hn_options_free(HnOptions *options);

#endif
