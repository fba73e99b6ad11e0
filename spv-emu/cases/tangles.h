/* SPDX-License-Identifier: Apache-2.0 */
/* tangles: do two modules run each subgroup operation with the same lanes?
 *
 * SPIR-V calls the invocations that run an instruction together a *tangle*. A recorder listens to a
 * run and keeps, for each lane of each subgroup, the sequence of its subgroup operations, each with
 * its opcode and the set of lanes that run it. Two runs have the same tangles if all lanes have the
 * same sequences. Operations match by their place in the lane's sequence, because transforms move
 * and copy instructions, and programmers edit sources. The order between operations of different
 * subgroups, or of lanes that run separately, does not matter.
 *
 * To say where they differ, the two sequences of a lane are walked side by side. An operation that
 * has no counterpart is found by its opcode and line, if both modules have lines.
 *
 * Memory: a hash for each lane, on which the verdict depends, and the operations themselves up to a
 * limit, which only the places of differences need. */
#ifndef EMU_TANGLES_H
#define EMU_TANGLES_H

#include <spv-emu/spv_emu.h>

enum {
  EMU_TANGLE_DIFFERENCES = 16, /* most that are described */
  EMU_TANGLE_WORDS = 16,       /* of the set of lanes of a subgroup */
};

typedef struct EmuTangles EmuTangles;

/* A recorder that keeps at most `most` bytes of operations. NULL: out of memory. */
EmuTangles *emu_tangles_new(size_t most);
void emu_tangles_free(EmuTangles *tangles); /* NULL is allowed */
/* What to give a run as spv_emu_run_options.tangles. Several runs are recorded as one. The programs
 * must outlive the recorder. */
spv_emu_tangles emu_tangles_listener(EmuTangles *tangles);

/* Does it hold an operation? */
bool emu_tangles_any(const EmuTangles *tangles);

/* An operation that lanes of the two modules do not run together with the same lanes. */
typedef struct EmuTangleDifference {
  const spv_emu_subgroup_op *op[2];  /* before, after; NULL: the lane does not run it */
  bool order;                        /* the lane runs both in both modules, in a different order */
  uint64_t subgroup;                 /* of the first lane where it differs */
  uint32_t lane;                     /* this lane */
  uint64_t set[2][EMU_TANGLE_WORDS]; /* the lanes that run it together */
  uint64_t lanes;                    /* how many lanes it differs for */
  uint64_t last_subgroup;            /* the last of these lanes */
  uint32_t last_lane;
} EmuTangleDifference;

typedef struct EmuTangleVerdict {
  uint64_t lanes;     /* that run subgroup operations */
  uint64_t different; /* of these, those with different sequences */
  uint64_t unknown;   /* of these, those whose differences come after what is kept */
  EmuTangleDifference at[EMU_TANGLE_DIFFERENCES];
  uint32_t count;
  bool more; /* there are more than `at` holds */
} EmuTangleVerdict;

/* Compares two runs that have ended. False: memory ran out, then or while they ran. */
bool emu_tangles_compare(const EmuTangles *before, const EmuTangles *after,
                         EmuTangleVerdict *verdict);
/* Line `i` about the differences, as text; false: there are no more lines. */
bool emu_tangles_line(const EmuTangleVerdict *verdict, uint32_t i, char *text, size_t size);

#endif
