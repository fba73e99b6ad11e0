/* SPDX-License-Identifier: Apache-2.0 */
/* devices: the drivers of a run, by their names on the command line. */
#ifndef HN_DEVICES_H
#define HN_DEVICES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct HnDevice {
  char *name; /* as given: lavapipe, swiftshader, emu, pocl, none, default or icd=PATH, perhaps
                 followed by :NAME */
  char *icd;  /* manifest of the driver; NULL: whatever the loader finds */
  unsigned emulated;  /* the emulator's subgroup size; 0: a Vulkan driver */
  const char *opencl; /* part of an OpenCL platform's name; NULL: not OpenCL */
  bool idle;          /* none: nothing is run */
  char *choice;       /* NAME: part of the name of the physical device; NULL: the first one */
  char *all;  /* the driver's devices that `choice` matches, one line each: name, versions, subgroup
                 size */
  char *info; /* the first of these lines, which describes the device that is used */
} HnDevice;

typedef struct HnDevices {
  HnDevice *at;
  size_t count;
} HnDevices;

/* `list` as in --device: names separated by commas, each used once, or "auto": the installed ones
 * of lavapipe and swiftshader. Queries each driver in a child process. `subgroup_size` is that of
 * device emu. On false *message is one line, which the caller frees. */
bool hn_devices_find(const char *list, unsigned subgroup_size, HnDevices *devices, char **message);
void hn_devices_free(HnDevices *devices);

#endif
