/* SPDX-License-Identifier: Apache-2.0 */
/* observe_setup: a script whose compute shaders log their tangles.
 *
 * It is the given script with one more buffer, binding and shader for each compute pipeline that
 * runs; everything else, including contents and dispatches, stays as given. */
#ifndef OB_OBSERVE_SETUP_H
#define OB_OBSERVE_SETUP_H

#include "harness/converge/device.h"
#include "harness/observe/instrument.h"

typedef struct ObPipeline {
  const char *name;
  uint32_t pipeline, buffer, shader; /* in the script; `shader` is the shader that logs */
  CvMode mode;
  bool promises; /* the module declares the mode */
  ObLog log;
  uint32_t workgroups; /* of the largest dispatch */
  HnModule module;     /* with the log, without a promise */
  ObPoints points;
} ObPipeline;

typedef struct ObSetup {
  AmberScript script; /* shares what it does not change with the given script */
  HnModule *modules;  /* by index in script.shaders */
  const AmberScript *given;
  uint32_t given_shaders;
  ObPipeline *at;
  uint32_t count;
} ObSetup;

/* Makes the setup; `modules`: those of the given script, which must outlive it, as must the script.
 * `mode` NULL: the promise of each entry point. `records`: of an invocation, at most; 0: as many as
 * fit, up to 4,096. The caller frees the setup in any case. False:
 * *message is one line, which the caller frees, or NULL if out of memory. */
bool ob_setup_make(const AmberScript *script, const HnModule *modules, const CvMode *mode,
                   uint32_t records, ObSetup *setup, char **message);
/* Fits the modules and the script's requirements to a device: the `promises` of the pipelines, and
 * subgroups of `size` (0: as given). False: out of memory. */
bool ob_setup_fit(ObSetup *setup, uint32_t size);
void ob_setup_free(ObSetup *setup);

/* Runs the setup `runs` times in a separate process, and copies the logs to logs[i], malloc'd: those
 * of the first run by pipeline, then those of the next. HN_PASS: it ran, whatever its EXPECTs say.
 * Else `why` is one line. */
HnOutcome ob_setup_run(const ObSetup *setup, const HnBackendOptions *options, double timeout,
                       uint32_t runs, uint32_t **logs, char why[160]);

#endif
