/* SPDX-License-Identifier: Apache-2.0 */
/* device: runs programs on a device, each in its own process: a driver that crashes or hangs costs
 * one program. */
#ifndef CV_DEVICE_H
#define CV_DEVICE_H

#include "harness/backend/backend.h"
#include "harness/converge/converge_judge.h"
#include "harness/run/devices.h"
#include "harness/shader/shader.h"

#include <stddef.h>

typedef struct CvDevice {
  const HnDevice *device;
  const char *policy; /* of the emulator; NULL: structured */
  CvMode mode;
  bool two_exits;     /* for the programs */
  uint32_t size;      /* size of its subgroups */
  bool requires_size; /* subgroups of this size are requested from it */
  bool promises;      /* it has the mode's extension, so modules declare the mode */
  double timeout;     /* seconds for a program */
  unsigned jobs;      /* parallel processes */
} CvDevice;

/* Determines the device's subgroup size, unless `size` is set, and what it promises. Modules are
 * compiled here first, so that processes started later have the compiler's tables, which the caller
 * closes. False: *message is one line, which the caller frees. */
bool cv_device_open(CvDevice *device, HnShaderTables *tables, char **message);

/* How a backend opens it. */
HnBackendOptions cv_device_options(const CvDevice *device);

/* Judges all programs; `pin` as in cv_judge. From time to time calls `done`, unless it is NULL,
 * with the number of programs done. False: out of memory, or no process can be started. */
bool cv_device_run(const CvDevice *device, const CvProgram *programs, size_t count, uint32_t pin,
                   CvVerdict *verdicts, void (*done)(size_t count));

/* The program's module as the device gets it. The caller frees it. NULL: out of memory. */
uint32_t *cv_device_module(const CvDevice *device, const CvProgram *program, size_t *count);

#endif
