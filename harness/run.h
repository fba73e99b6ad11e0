/* run: all variants of all cases on all devices, several at once, each case in a child process.
 *
 * A child that dies, or does not come back in time, costs the variant it was at; another child
 * takes the case's variants that are left. */
#ifndef HN_RUN_H
#define HN_RUN_H

#include "cases.h"
#include "devices.h"
#include "results.h"

typedef struct HnRun {
  HnCases cases;
  HnDevices devices;
  const char *const *variants;
  uint32_t variant_count;
  unsigned jobs;       /* children at once */
  double timeout;      /* seconds for a variant */
  bool validation;     /* the Khronos validation layer listens */
  HnResults *store;    /* NULL: results are not kept */
  HnRecorded *records; /* of earlier runs; NULL: run everything */
  HnResult *results;   /* by case, device, variant; see hn_run_result */
  uint64_t *setup;     /* by device: hash of all that results depend on but the case */
  /* All variants of a case on a device have their results. */
  void (*done)(void *user, size_t at, size_t device);
  void *user;
} HnRun;

/* Runs everything; the fields up to `records` and the last two are the caller's. On false *message
 * is one line, to be freed; what was done until then is in the results. */
bool hn_run(HnRun *run, char **message);
void hn_run_free(HnRun *run);

static inline HnResult *hn_run_result(const HnRun *run, size_t at, size_t device,
                                      uint32_t variant) {
  return &run->results[(at * run->devices.count + device) * run->variant_count + variant];
}

#endif
