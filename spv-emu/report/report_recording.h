/* SPDX-License-Identifier: Apache-2.0 */
/* report_recording: records what some subgroups of the first dispatches issue under a policy, for
 * the page.
 *
 * A case runs twice. The first run only adds up what each subgroup issues (report_tally.h), since
 * only then is it known which subgroups are worth showing (report_places.h); the second one records
 * these. Both are driven by `schedule`. Subgroups that are only there to be near where a reader
 * points are dropped if they are long.
 *
 * A subgroup's schedule is kept as steps: a part of the program and a set of lanes. There are few
 * different sets, so a step names its set by a number, in the order of first use. A schedule of
 * more than EMU_RECORDED_STEPS is summed in bins of time (report_bins.h), as is one that is too
 * large for the page. As JSON:
 *
 *   {"slot": 0, "subgroup": 0, "masks": ["ff", "3c"], "steps": "0.0 1 2.1x3 +2 1.0"}
 *   {"slot": 1, "subgroup": 16, "bins": [[900, "0.30.240.ff 1.9.9.3c +.4", "//8…"], …]}
 *
 * A step is a part's index, then "." and the index of a mask, if that differs from the step before,
 * and "x" and a count, if it repeats; or "+" and a number of instructions that the policy adds.
 * Masks are hexadecimal numbers; lane 0 is the lowest bit. A bin has its issues; for each part of
 * the program that started in it the part's index, executions, sum of active lanes, and the lanes
 * that were active in any execution (left out if they are the same as for the part before); "+."
 * and the number of instructions that the policy added, if any; and for each lane one of
 * EMU_BIN_LEVELS: the share of the issues in which the lane was active, from "A" (none) to "/"
 * (all). */
#ifndef EMU_REPORT_RECORDING_H
#define EMU_REPORT_RECORDING_H

#include "spv-emu/report/report_bins.h"
#include "spv-emu/report/report_tally.h"

#include <jansson.h>
#include <spv-emu/spv_emu.h>

enum {
  EMU_RECORDED_DISPATCHES = 32, /* for all programs together */
  EMU_RECORDED_TIMES = 8,       /* dispatches of one program */
  EMU_RECORDED_STEPS = 1 << 17,
  EMU_RECORDED_SHORT = 1 << 11, /* steps of a subgroup that is not a main one */
  EMU_PLACES_MOST = 256,
};

typedef struct EmuRecordedPlace {
  uint64_t invocation; /* the number of the subgroup's first one in the dispatch */
  bool main;           /* shown however long it is */
} EmuRecordedPlace;

typedef struct EmuRecordedPlaces { /* the subgroups of a dispatch to be recorded, in order */
  EmuRecordedPlace at[EMU_PLACES_MOST];
  uint32_t count;
} EmuRecordedPlaces;

#define EMU_BIN_LEVELS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"

typedef struct EmuRecordedStep {
  uint32_t part; /* SPV_EMU_NO_PART: instructions that the policy adds */
  uint32_t mask; /* index of the mask; with SPV_EMU_NO_PART: number of instructions */
} EmuRecordedStep;

typedef struct EmuRecorded { /* a subgroup */
  uint64_t subgroup;         /* its number in the dispatch */
  bool main, dropped;
  bool there; /* a subgroup begins at the place */
  EmuRecordedStep *steps;
  uint32_t count;
  uint64_t room;
  uint64_t *masks; /* each has `words` words */
  uint32_t mask_count;
  uint64_t mask_room;
  uint32_t *index; /* hash table of masks: number + 1, 0: empty */
  uint32_t index_room;
  uint32_t *issues; /* of each part that ran */
  uint64_t issue_room;
  EmuBins *bins; /* NULL: there are steps */
  bool out_of_memory;
} EmuRecorded;

typedef struct EmuRecordedDispatch {
  const spv_emu_program *program;
  uint32_t number;       /* of all dispatches of the case, from 1 */
  uint64_t all;          /* number of subgroups that ran; set when the dispatch has ended */
  uint32_t lanes, words; /* of a subgroup: its lanes, and the words of a mask */
  uint32_t part_count;   /* set when the dispatch has ended, like the figures below */
  uint64_t *counts;      /* by part: executions and lanes */
  uint64_t issued, lane_instructions;
  EmuTally tally;
  EmuRecorded *subgroups; /* by place, also called slot; NULL before the second run */
  uint32_t count;         /* of subgroups */
  uint32_t worst;         /* the slot of the one with most inactive lane slots; UINT32_MAX: none */
} EmuRecordedDispatch;

typedef struct EmuRecording {
  spv_emu_schedule schedule; /* for the options of a run; `user` is the recording */
  EmuRecordedDispatch dispatches[EMU_RECORDED_DISPATCHES];
  uint32_t count;
  uint32_t begun;               /* number of dispatches, recorded or not */
  EmuRecordedDispatch *current; /* NULL: the running dispatch is not recorded */
  _Atomic bool out_of_memory;
} EmuRecording;

/* ---- report_recording.c: recording ----------------------------------------------------------- */

/* Makes ready for the first run. The recording must not move until it is freed. */
void emu_recording_start(EmuRecording *r);
/* Makes ready for the second run, which must be like the first. `places`:
 * EMU_RECORDED_DISPATCHES of them. */
void emu_recording_again(EmuRecording *r, const EmuRecordedPlaces *places);
/* False: memory ran out, and something is missing. */
bool emu_recording_is_whole(const EmuRecording *r);
/* A recorded dispatch of the program, the first with `index` 0; NULL: there is none. */
EmuRecordedDispatch *emu_recording_find(EmuRecording *r, const spv_emu_program *program,
                                        uint32_t index);
/* Sums the subgroup's steps in bins; sets s->out_of_memory if memory runs out. */
void emu_recording_to_bins(EmuRecordedDispatch *d, EmuRecorded *s);
void emu_recording_free(EmuRecording *r);

/* ---- report_recording_json.c ----------------------------------------------------------------- */

/* Adds a recorded subgroup to the array of JSON objects, if it ran and was not dropped. It may take `most` bytes; a
 * larger one is summed in as many bins as fit. If `most` is less than `least`, a larger one is not
 * added. Returns the bytes taken. */
size_t emu_recording_add(EmuRecordedDispatch *d, uint32_t slot, size_t most, size_t least,
                         json_t *subgroups);

#endif
