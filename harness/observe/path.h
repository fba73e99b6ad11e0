/* SPDX-License-Identifier: Apache-2.0 */
/* path: the path of an invocation through a shader, with what the specification says about tangles
 * on it.
 *
 * A path is the list of points (points.h) that an invocation has logged. It is walked with a stack
 * of open constructs and calls, in which each point has a dynamic instance:
 *
 *   - the calls on the stack, by their places, and the loops, by their headers and iterations
 *   - `strict`: the selectors of the open switches, too
 *
 * SPV_KHR_maximal_reconvergence puts the invocations of a subgroup that reach a point in the same
 * strict instance into one tangle: if they entered a construct together, they leave it together at
 * the merge block; likewise iterations at the continue target, and functions after the call.
 * Invocations that differ only in selectors may be in one tangle or in several. So a tangle follows
 * from the paths of the invocations, whatever values led them there. */
#ifndef OB_PATH_H
#define OB_PATH_H

#include "harness/converge/model.h"
#include "harness/observe/points.h"

/* A point on the path. */
typedef struct ObSeen {
  uint32_t point;
  CvEvent event;          /* what last changed the tangle */
  uint32_t inside;        /* the innermost open construct or call, by index in ObPath.opened */
  uint64_t strict, loose; /* hashes: the dynamic instance with selectors, and without */
  bool uniform;           /* control flow is uniform for the group of ob_paths_uniform */
  CvSet got;              /* the ballot */
  CvSet must, may;        /* see observe_judge.h */
} ObSeen;

/* A construct or call that was open on the path; the first one is the dispatch. */
typedef struct ObOpened {
  uint32_t outer;         /* SR_NONE: none */
  uint32_t header;        /* the point of its header; for a call, the point after the call */
  uint32_t merge, target; /* SR_NONE: none */
  uint32_t iteration;
  bool calls, switches;
  bool merged;            /* the path left it through its merge block */
  uint32_t closed;        /* index on the path of the first point outside; SR_NONE: still open */
  uint64_t strict, loose; /* hashes of the instances inside */
} ObOpened;

typedef struct ObPath {
  bool ran;
  bool cut; /* the log had no room for the rest */
  uint32_t subgroup, lane, size;
  ObSeen *at;
  uint32_t count;
  uint32_t wrong_step; /* index of the first point that cannot follow its predecessor, after which
                          nothing is read; SR_NONE: none */
  ObOpened *opened;
  uint32_t opened_count, opened_room;
} ObPath;

/* Reads an invocation's part of the log (instrument.h). The caller frees the path in any case.
 * False: out of memory. Linear in the path times the depth of open constructs. */
bool ob_path_read(const ObPoints *points, const uint32_t *part, uint32_t records, ObPath *path);
void ob_path_free(ObPath *path);

/* Sets `uniform` where control flow is uniform for these paths, which are those of a group (SPIR-V,
 * "Uniform Control Flow"): at the start, until they differ at a branch; and again after a construct
 * that was entered uniformly and that all leave through its merge block. `place` has room for
 * `count` numbers. */
void ob_paths_uniform(ObPath *const *paths, uint32_t count, uint32_t *place);

#endif
