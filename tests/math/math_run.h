/* SPDX-License-Identifier: Apache-2.0 */
/* math_run: runs the kernel of a case on a device, and returns the contents of its buffer `out`. */
#ifndef MATH_RUN_H
#define MATH_RUN_H

#include "harness/shader/outcome.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct MathRun {
  const char *device; /* kernel: the emulator, as it is; emu, lavapipe, swiftshader: as a shader */
  bool native;        /* kernel-to-shader:native */
} MathRun;

/* Runs the case, AmberScript without its first line. On HN_PASS `out` has `size` bytes of the result; otherwise *message is a
 * line, or NULL. The caller frees it in any case. */
HnOutcome math_run(const MathRun *run, const char *text, void *out, size_t size, char **message);
/* A device other than a driver always is. */
bool math_run_is_there(const char *device);

#endif
