/* SPDX-License-Identifier: Apache-2.0 */
/* model: what each lane of a program observes, by the text of the specification.
 *
 * The model walks the tree of statements with sets of lanes. It shares no code with the emulator,
 * which runs the compiled module: the two must agree.
 *
 * Where the specification leaves a choice, an observation has two sets: the lanes that must be in
 * the tangle and those that may be.
 *
 *   maximal  SPV_KHR_maximal_reconvergence. Lanes with different selectors that run the same case
 *            may be in one tangle or in several, until the merge block of the OpSwitch: one walk
 *            separates them (must), one puts them together (may)
 *   uniform  SPV_KHR_subgroup_uniform_control_flow: where control flow is uniform for the subgroup,
 *            the tangle is the whole subgroup. Elsewhere it has at least the lane itself
 *   none     as uniform, where control flow is uniform for the whole workgroup
 *
 * Control flow is uniform for a group (SPIR-V, "Uniform Control Flow") from the start until its
 * lanes diverge at a branch; and after a construct that was entered uniformly and left by all its
 * lanes through its merge block. */
#ifndef CV_MODEL_H
#define CV_MODEL_H

#include "harness/converge/converge_program.h"

typedef enum CvMode { CV_MAXIMAL, CV_UNIFORM, CV_NO_PROMISE, CV_MODES } CvMode;

extern const char *const cv_mode_names[CV_MODES];

/* What last changed the tangle before an observation. */
typedef enum CvEvent {
#define CV_EVENT(id, name, missing) CV_AT_##id,
#include "harness/converge/converge_rules.def"
  CV_EVENTS
} CvEvent;

enum {
  CV_SUBGROUPS = 2, /* in the workgroup */
  CV_LANES = 256,   /* in the workgroup, at most */
  CV_WORDS = 4,     /* 32-bit words of a set of lanes of a subgroup */
  CV_RECORDS = 160  /* observations of a lane, at most */
};

typedef struct CvSet {
  uint32_t word[CV_WORDS];
} CvSet;

/* An observation of a lane. */
typedef struct CvRecord {
  uint32_t point; /* the statement */
  uint32_t order; /* position in the first walk, from 0 */
  uint32_t event; /* CvEvent */
  CvSet must, may;
} CvRecord;

typedef struct CvExpected {
  CvRecord record[CV_LANES][CV_RECORDS];
  uint32_t count[CV_LANES];
} CvExpected;

/* The mode of that name. False: there is none. */
bool cv_mode_find(const char *name, CvMode *mode);

/* Is it 4, 8, 16, 32, 64 or 128? */
static inline bool cv_size_fits(uint32_t subgroup_size) {
  return subgroup_size >= 4 && subgroup_size <= CV_LANES / CV_SUBGROUPS &&
         !(subgroup_size & (subgroup_size - 1));
}

/* Computes what the lanes observe. The size and the program must fit (cv_model_fits). */
void cv_model(const CvProgram *program, CvMode mode, uint32_t subgroup_size, CvExpected *expected);
/* Is the program short, and does no lane observe more than CV_RECORDS times with any subgroup size
 * that fits? */
bool cv_model_fits(const CvProgram *program);

static inline bool cv_set_has(const CvSet *set, uint32_t lane) {
  return set->word[lane / 32] >> lane % 32 & 1;
}

/* Is a in b? */
static inline bool cv_set_in(const CvSet *a, const CvSet *b) {
  uint32_t outside = 0;
  for (uint32_t i = 0; i < CV_WORDS; i++)
    outside |= a->word[i] & ~b->word[i];
  return !outside;
}

uint32_t cv_set_count(const CvSet *set);

#endif
