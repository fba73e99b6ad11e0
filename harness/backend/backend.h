/* backend: runs the commands of a script on one device.
 *
 * A device is opened once, as the script asks, and may then run the script any number of times,
 * each time with other modules for its shaders (the variants). Buffers start from the script's
 * initial contents every time. What the EXPECTs say is judged by amber_expect; the contents at the
 * end are handed over so that variants can be compared. Implemented over Vulkan (backend_vk.c), by
 * the emulator (backend_emu.c), and by doing nothing (backend_none.c). */
#ifndef HN_BACKEND_H
#define HN_BACKEND_H

#include "shader/outcome.h"
#include "shader/shader.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct HnContents {
  void *bytes; /* owned by the report; NULL where no pipeline or COPY names the buffer, where it is
                  an image of depths with several samples, and after a run that came to no end */
  size_t size; /* of the buffer, and of mip levels from 1 on, which stand behind it */
} HnContents;

typedef struct HnReport {
  HnOutcome outcome;
  char *message;       /* why not HN_PASS, or what was not compared, one line; owned, or NULL */
  uint64_t gpu_ns;     /* sum over the script's runs by timestamps; 0 where there are none */
  HnContents *buffers; /* by index in script->buffers */
  size_t buffer_count;
} HnReport;

typedef struct HnBackendOptions {
  uint32_t emulated; /* 0: a Vulkan driver; else the emulator, with subgroups of this size, and the
                        rest means nothing */
  bool idle;         /* nothing is run, and the rest means nothing */
  const char *icd;   /* path of the driver's manifest, or NULL: whatever the loader finds */
  const char *device_name; /* part of the physical device's name, or NULL: the first */
  bool validation;         /* with the Khronos validation layer; a message of it fails the run */
} HnBackendOptions;

typedef struct HnBackend HnBackend;

/* Opens the device with exactly the features and extensions that the script asks for. On anything
 * but HN_PASS (HN_SKIP: the device lacks something) *message is one line, to be freed, and *backend
 * is NULL. The script must outlive the backend. `options->icd` is put into the environment of this
 * process, so one process opens one driver. */
HnOutcome hn_backend_open(const HnBackendOptions *options, const AmberScript *script,
                          HnBackend **backend, char **message);
/* Runs the script; `modules` by index in script->shaders. The report is the caller's to clear. An
 * EXPECT that fails does not end the run: the first one is reported, and the buffers are those at
 * the end of the script. After HN_CRASH (device lost) or HN_TIMEOUT (a fence of the script's
 * fence_timeout_ms) the device is gone: further runs say so at once, and the rest of the variants
 * need another process. HN_FAIL also covers calls that failed ("vkCreateBuffer: VK_ERROR_...") and
 * messages of the validation layer. */
void hn_backend_run(HnBackend *backend, const HnModule *modules, HnReport *report);
/* Returns what the validation layer says of the closing itself, one line to be freed; else NULL. */
char *hn_backend_close(HnBackend *backend);
void hn_report_clear(HnReport *report);

/* One line per physical device that the driver offers, and `options->device_name` fits: name, API
 * version, driver, subgroup size. Returns false with one line in *text where the driver cannot be
 * loaded or no device fits. `*text` is to be freed. */
bool hn_backend_list(const HnBackendOptions *options, char **text);

#endif
