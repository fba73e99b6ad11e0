/* SPDX-License-Identifier: Apache-2.0 */
/* outcome: the outcomes of one variant of a case on a device. */
#ifndef HN_OUTCOME_H
#define HN_OUTCOME_H

typedef enum HnOutcome {
  HN_PASS,
  HN_FAIL,    /* an EXPECT failed, another variant differs, or the validation layer has a message */
  HN_SKIP,    /* the device lacks what the script requires, or a command is not supported */
  HN_SAME,    /* the modules equal those of a variant already run, or the case fails as another
                variant or device has reported */
  HN_CRASH,   /* the driver died */
  HN_TIMEOUT, /* the driver did not return in time */
  HN_INVALID, /* spirv-val refuses the variant's module */
  HN_FLAKE,   /* of several runs, some passed and some failed (--retries) */
} HnOutcome;

#endif
