/* SPDX-License-Identifier: Apache-2.0 */
/* converge_report: what converge prints about a device. */
#ifndef CV_CONVERGE_REPORT_H
#define CV_CONVERGE_REPORT_H

#include "harness/converge/device.h"

/* CV_KINDS: kinds of mistakes that are distinguished. CV_SEEDS: seeds that are kept for each. */
enum { CV_KINDS = 64, CV_SEEDS = 8 };

/* A kind of mistake. */
typedef struct CvMistake {
  CvVerdict verdict;        /* of the first program with this mistake */
  uint64_t seeds[CV_SEEDS]; /* of the first programs with it */
  size_t programs;
} CvMistake;

typedef struct CvTotals {
  size_t passed, wrong, skipped;
  char why_skipped[160];
  uint32_t kind_count;
  CvMistake kinds[CV_KINDS];
} CvTotals;

/* Counts a wrong program. */
void cv_totals_add(CvTotals *totals, uint64_t seed, const CvVerdict *verdict);

void cv_report_device(const CvDevice *device);
/* Prints the kinds of mistakes, the most frequent first, and reduces the first programs of up to
 * `reduce` kinds. `artifacts`: a folder to which they are written, too; NULL: none. False: as
 * cv_device_run, or a file cannot be written. */
bool cv_report_totals(const CvDevice *device, CvTotals *totals, unsigned reduce,
                      const char *artifacts);

#endif
