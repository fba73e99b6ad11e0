/* SPDX-License-Identifier: Apache-2.0 */
/* report_recording: records what the first subgroups of each program's first dispatch issue under a
 * policy, for the page.
 *
 * A subgroup's schedule is kept as steps: a part of the program and a set of lanes. There are few
 * different sets, so a step names one by its number, in the order of first use. As JSON:
 *
 *   {"lanes": 64, "subgroups": [{"subgroup": 0, "cut": false, "masks": ["ff", "3c"],
 *                                "steps": "0.0 1 2.1x3 +2 1.0"}]}
 *
 * A step is a part's index, then "." and the index of a mask, if that differs from the step before,
 * and "x" and a count, if it repeats; or "+" and a number of instructions that the policy adds.
 * Masks are hexadecimal numbers, lane 0 the lowest bit. "cut": steps are missing at the end. */
#ifndef EMU_REPORT_RECORDING_H
#define EMU_REPORT_RECORDING_H

#include <jansson.h>
#include <spv-emu/spv_emu.h>

enum { EMU_RECORDED_PROGRAMS = 8, EMU_RECORDED_SUBGROUPS = 4, EMU_RECORDED_STEPS = 1 << 18 };

typedef struct EmuStep {
  uint32_t part; /* SPV_EMU_NO_PART: instructions that the policy adds */
  uint32_t mask; /* index of the mask; with SPV_EMU_NO_PART: how many instructions */
} EmuStep;

typedef struct EmuRecorded { /* a subgroup */
  EmuStep *steps;
  uint32_t count;
  uint64_t room;
  uint64_t *masks; /* each has `words` words */
  uint32_t mask_count;
  uint64_t mask_room;
  uint32_t *index; /* hash table of masks: number + 1, 0: empty */
  uint32_t index_room;
  bool cut; /* more was issued than is kept */
  bool out_of_memory;
} EmuRecorded;

typedef struct EmuRecordedDispatch {
  const spv_emu_program *program;
  uint32_t lanes, words; /* of a subgroup: its lanes, and the words of a mask */
  EmuRecorded subgroups[EMU_RECORDED_SUBGROUPS];
} EmuRecordedDispatch;

typedef struct EmuRecording {
  spv_emu_schedule schedule; /* for the options of a run; `user` is the recording */
  EmuRecordedDispatch dispatches[EMU_RECORDED_PROGRAMS];
  uint32_t count;
  EmuRecordedDispatch *current; /* NULL: the running dispatch is not recorded */
} EmuRecording;

/* The recording must not move until it is freed. */
void emu_recording_start(EmuRecording *r);
/* False: memory ran out, and something is missing. */
bool emu_recording_is_whole(const EmuRecording *r);
/* The recording of that program's dispatch; NULL: it was not recorded. */
const EmuRecordedDispatch *emu_recording_find(const EmuRecording *r,
                                              const spv_emu_program *program);
/* Adds a subgroup to the array of JSON objects, if it ran. It may take `most` bytes; a larger one
 * is cut if `may_cut`, else not added. Returns the bytes taken. */
size_t emu_recording_add(const EmuRecordedDispatch *d, uint32_t subgroup, size_t most, bool may_cut,
                         json_t *subgroups);
void emu_recording_free(EmuRecording *r);

#endif
