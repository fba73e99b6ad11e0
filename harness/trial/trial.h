/* SPDX-License-Identifier: Apache-2.0 */
/* trial: runs a module on the same contents under several conditions that a device may have:
 * subgroups of several sizes, other orders of subgroups and workgroups, subgroups with quads of
 * several triangles, unwritten memory that is not zero. The numbers on which all runs agree are
 * what the module computes; the others depend on the device. Further runs, numbered from
 * HN_TRIAL_RUNS, are optional. They have the rounding errors that a device may have
 * (shader/perturb.h), and show how far numbers may be from those of the first run. */
#ifndef HN_TRIAL_H
#define HN_TRIAL_H

#include "harness/trial/trial_module.h"
#include "spv-emu/cases/bare_draw.h"

enum {
  HN_TRIAL_RUNS = 7,
  HN_TRIAL_UNWRITTEN = 6, /* the run in which unwritten memory is not zero */
  HN_TRIAL_ALL = 10       /* with those that round otherwise */
};

typedef struct HnTrial {
  uint8_t **after[HN_TRIAL_ALL]; /* by buffer of the options; NULL: that run failed; an entry is
                                   NULL if memory ran out */
  uint32_t buffer_count;
  uint8_t **drawn[HN_TRIAL_ALL]; /* for a draw, by attachment; NULL: that run failed */
  EmuDrawn *attachments;         /* for a draw; `bytes` are NULL */
  uint32_t attachment_count;
  uint64_t quad_breaks; /* in the first run, as in spv_emu_result */
  uint64_t outside;     /* accesses out of bounds, in all runs */
  uint64_t races;       /* accesses that race with another workgroup's */
  uint64_t issued;      /* in the first run */
  char why[600];        /* why the run HN_TRIAL_UNWRITTEN failed; empty: it did not fail */
} HnTrial;

/* A draw of a triangle over a framebuffer; the module is the fragment shader. */
typedef struct HnTrialDraw {
  HnTrialModule *vertex;
  uint32_t width, height;
} HnTrialDraw;

typedef struct HnTrialHow {
  bool rounds;      /* run with other rounding, too */
  bool clean;       /* only the first run, if that accesses memory out of bounds, or races */
  const char *path; /* what is run, for a terminal that shows progress; NULL: nothing is shown */
} HnTrialHow;

/* The contents of each buffer of the options after a run. The caller frees the array and its
 * entries; if memory ran out, an entry, or the array itself, is NULL. */
uint8_t **hn_trial_outputs(const EmuBareOptions *options, const EmuRow *row);

/* `draw` NULL: a dispatch. `options` may be made from the module as loaded for any one subgroup
 * size; all runs use them. False: the first run, in subgroups of 32 lanes, fails; one line in
 * `message`. Free `trial` in any case. */
bool hn_trial_run(HnTrialModule *module, const HnTrialDraw *draw, const EmuBareOptions *options,
                  const HnTrialHow *how, HnTrial *trial, char *message, size_t message_size);
void hn_trial_free(HnTrial *trial);

#endif
