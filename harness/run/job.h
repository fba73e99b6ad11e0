/* job: one case on one device, in a process of its own: all its variants, one after the other. */
#ifndef HN_JOB_H
#define HN_JOB_H

#include "backend/backend.h"
#include "results/recorded.h"

typedef struct HnJob {
  const char *path;   /* of the case */
  const char *device; /* as results name it */
  HnBackendOptions backend;
  const char *const *variants;
  uint32_t variant_count;
  bool check;          /* each variant's modules are compared with the case's */
  uint32_t first;      /* earlier variants have their results already; one of them … */
  uint32_t reference;  /* … may be run again to compare with; or AMBER_NONE */
  uint64_t setup_hash; /* of everything but the case that a result depends on */
  HnRecorded *records; /* what need not be run; NULL: nothing */
} HnJob;

/* Runs the variants and writes a record for each to `fd`; one that loses the device is the last,
 * the others are left to another child. Only for a child of its own: it truncates standard error,
 * and the driver may do what it likes to the process. */
void hn_job_run(const HnJob *given, int fd);

#endif
