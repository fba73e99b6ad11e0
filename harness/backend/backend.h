/* SPDX-License-Identifier: Apache-2.0 */
/* backend: runs the commands of a script on one device.
 *
 * A device is opened once (run/backend_open.h), as the script requires, and may then run the script
 * any number of times, each time with different modules for its shaders (the variants). Buffers
 * start from the script's initial contents every time. amber_expect evaluates the EXPECTs; the
 * final contents are in the report, so that variants can be compared. Implemented over Vulkan
 * (vulkan/backend_vk.c), over OpenCL (opencl/backend_cl.c), by the emulator (backend_emu.c), and by
 * doing nothing (backend_none.c). */
#ifndef HN_BACKEND_H
#define HN_BACKEND_H

#include "harness/shader/outcome.h"
#include "harness/shader/shader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct HnContents {
  void *bytes; /* owned by the report; NULL if no pipeline or COPY names the buffer, if it is a
                  multisampled depth image, and after a run that did not finish */
  size_t size; /* of the buffer, followed by all further mip levels */
} HnContents;

typedef struct HnReport {
  HnOutcome outcome;
  char *message;   /* why the outcome is not HN_PASS, or what was not compared, one line; owned, or
                      NULL */
  uint64_t gpu_ns; /* sum over the script's runs, by timestamps; 0 if the device has none */
  HnContents *buffers; /* by index in script->buffers */
  size_t buffer_count;
} HnReport;

typedef struct HnBackendOptions {
  uint32_t emulated;  /* not 0: the emulator runs the script, with subgroups of this size; the other
                         options are ignored */
  const char *policy; /* the emulator's policy, by name (backend_policy.h); NULL: structured, for
                         kernels its default */
  const char *opencl; /* not NULL: part of the name of an OpenCL platform, whose first device runs
                         the script; the other options are ignored */
  bool idle;          /* nothing runs; the other options are ignored */
  const char *icd;    /* path of the Vulkan driver's manifest, or NULL: whatever the loader finds */
  const char *device_name; /* part of the physical device's name, or NULL: the first device */
  bool validation; /* with the Khronos validation layer; any message from it fails the run */
} HnBackendOptions;

typedef struct HnBackend HnBackend;

/* Runs the script; `modules` by index in script->shaders. The caller clears the report. An EXPECT
 * that fails does not end the run: the first one is reported, and the buffers are those at the end
 * of the script. After HN_CRASH (device lost) or HN_TIMEOUT (fence_timeout_ms of the script has
 * passed) the device can no longer be used: further runs fail immediately, and the remaining
 * variants need another process. HN_FAIL also covers calls that failed ("vkCreateBuffer:
 * VK_ERROR_...") and messages of the validation layer. */
void hn_backend_run(HnBackend *backend, const HnModule *modules, HnReport *report);
/* Returns the validation layer's message about closing, in one line; the caller frees it. NULL:
 * none. */
char *hn_backend_close(HnBackend *backend);
void hn_report_clear(HnReport *report);

#endif
