/* SPDX-License-Identifier: Apache-2.0 */
/* instrument: adds a log of tangles to a compute shader.
 *
 * At each point (points.h) each invocation appends a record to its own part of a storage buffer:
 * the point plus 1, and a ballot of `true`, which names the invocations of the tangle. No branch is
 * added, so the control flow stays as it was, and so do the promises about it. Records past the
 * last one overwrite a spare one. A later dispatch continues the log of an earlier one:
 *
 *   invocation      OB_HEAD words        count of records, SubgroupId, SubgroupLocalInvocationId,
 *                                        SubgroupSize (0: the invocation did not run)
 *                   records + 1 times OB_RECORD words
 *
 * Part i belongs to invocation LocalInvocationIndex of a workgroup: i = workgroup * invocations +
 * that index. */
#ifndef OB_INSTRUMENT_H
#define OB_INSTRUMENT_H

#include "harness/converge/model.h"
#include "harness/observe/points.h"
#include "harness/shader/shader.h"

enum { OB_HEAD = 4, OB_RECORD = 5 };

typedef struct ObLog {
  uint32_t set, binding; /* of the log; the shader does not use this binding */
  uint32_t invocations;  /* invocations of a workgroup */
  uint32_t records;      /* records of an invocation, at most */
} ObLog;

/* Words of an invocation's part. */
static inline uint32_t ob_part_words(uint32_t records) {
  return OB_HEAD + (records + 1) * OB_RECORD;
}

/* Reads what the entry point promises; a missing entry point promises nothing. False: the module
 * cannot be read, and *message is one line, which the caller frees. */
bool ob_promise(HnModule module, const char *entry_point, CvMode *mode, char **message);

/* Makes the module with the log, malloc'd, with no other entry point, and without the execution
 * modes that promise reconvergence (converge/declare.h adds them); at least SPIR-V 1.3. The caller
 * frees the points in any case. False: *message is one line, which the caller frees. */
bool ob_instrument(HnModule module, const char *entry_point, const ObLog *log, HnModule *out,
                   ObPoints *points, char **message);

#endif
