/* SPDX-License-Identifier: Apache-2.0 */
/* bound_record: tells the caller which loops are bounded. Lanes that the bound takes out of a loop
 * are recorded in memory whose device address the caller gives (struct spvreconv_record). The
 * address is a constant in the code, so shaders need no further descriptor.
 *
 *   lanes = atomicAdd(record.lanes, 1);
 *   slot = min(lanes, 4);
 *   record.named[slot] = gl_GlobalInvocationID; (FragCoord, VertexIndex)
 *
 * The module gets what SPV_KHR_physical_storage_buffer asks for. */
#ifndef SR_BOUND_RECORD_H
#define SR_BOUND_RECORD_H

#include "passes/transform/pass_run.h"

typedef struct SrRecorder SrRecorder;

/* The recorder of this run of the pass, which r->kept keeps from function to function; NULL: the
 * caller does not ask for records, or the module is not a shader with logical pointers. */
SrRecorder *sr_recorder(SrPassRun *r);
/* Tells the caller of a loop; `block`: its blocks, the header first. Returns the address of its
 * record; 0: there is none. */
uint64_t sr_recorder_ask(SrRecorder *recorder, const SrFunction *f, const uint32_t *block,
                         uint32_t count);
/* Appends the code by which a lane records itself. */
void sr_record_lane(SrRecorder *recorder, SrList *list, uint64_t address,
                    SrTransformCounts *counts);

#endif
