/* outcome: what can become of one variant of a case on a device. */
#ifndef HN_OUTCOME_H
#define HN_OUTCOME_H

typedef enum HnOutcome {
  HN_PASS,
  HN_FAIL,    /* an EXPECT, or another variant, says otherwise; or the validation layer spoke */
  HN_SKIP,    /* the device lacks what the script asks for, or a command is outside the subset */
  HN_SAME,    /* the modules equal those of a variant already run */
  HN_CRASH,   /* the driver died */
  HN_TIMEOUT, /* the driver did not come back */
  HN_INVALID, /* spirv-val refuses the variant's module */
} HnOutcome;

#endif
