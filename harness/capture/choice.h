/* SPDX-License-Identifier: Apache-2.0 */
/* choice: says which dispatches are captured. It is read from the text after the last colon of
 * SPVRECONV_CAPTURE. */
#ifndef CP_CHOICE_H
#define CP_CHOICE_H

#include "harness/layer/support/hash.h"

#include <stdbool.h>
#include <stdint.h>

typedef enum CpChoiceKind {
  CP_FIRST,   /* the first dispatch of each pipeline */
  CP_ALL,     /* each dispatch */
  CP_SLOWEST, /* the dispatch that took longest */
  CP_NUMBER,  /* the dispatch of that number */
  CP_FRAME,   /* each dispatch of the frame of that number */
  CP_HASH,    /* the first dispatch of each pipeline whose module's hash begins so */
  CP_NAME,    /* the first dispatch of each pipeline of that name */
} CpChoiceKind;

typedef struct CpChoice {
  CpChoiceKind kind;
  uint64_t number;
  const char *text; /* of CP_HASH and CP_NAME: hexadecimal digits, a shell pattern */
} CpChoice;

/* Reads a selection; the text must outlive the choice. */
CpChoice cp_choice_read(const char *text);

typedef struct CpCandidate {
  uint64_t number, frame; /* of the dispatch */
  LyHash module;
  const char *entry, *name; /* name: that of the pipeline, or of its module; or NULL */
  bool first;               /* no dispatch of the pipeline has been captured */
  bool largest; /* it is the second one of its pipeline, or has more workgroups than all that were
                   captured before */
} CpCandidate;

bool cp_choice_has(const CpChoice *choice, const CpCandidate *candidate);

#endif
