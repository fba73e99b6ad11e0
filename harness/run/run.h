/* run: all variants of all cases on all devices, several at once, each case in a child process.
 *
 * A child that dies, or does not come back in time, costs the variant it was at; another child
 * takes the case's variants that are left. */
#ifndef HN_RUN_H
#define HN_RUN_H

#include "results/recorded.h"
#include "run/cases.h"
#include "run/devices.h"

typedef struct HnRun {
  HnCases cases;
  HnDevices devices;
  const char *const *variants;
  uint32_t variant_count;
  unsigned jobs;       /* children at once */
  double timeout;      /* seconds for a variant */
  bool validation;     /* the Khronos validation layer listens */
  bool check;          /* each variant's modules are compared with the case's */
  uint64_t *setup;     /* by device: see setup.h */
  HnResults *store;    /* NULL: results are not kept */
  HnRecorded *records; /* what need not be run; this run's results join them; NULL: nothing */
  HnResult *results;   /* by case, device, variant; see hn_run_result */
  /* All variants of a case on a device have their results. */
  void (*done)(void *user, size_t at, size_t device);
  void *user;
} HnRun;

/* Runs everything; all fields but `results` are the caller's. On false *message
 * is one line, to be freed; what was done until then is in the results. */
bool hn_run(HnRun *run, char **message);
void hn_run_free(HnRun *run);

static inline HnResult *hn_run_result(const HnRun *run, size_t at, size_t device,
                                      uint32_t variant) {
  return &run->results[(at * run->devices.count + device) * run->variant_count + variant];
}

#endif
