/* devices: which drivers a run is about, by the names of the command line. */
#ifndef HN_DEVICES_H
#define HN_DEVICES_H

#include <stdbool.h>
#include <stddef.h>

typedef struct HnDevice {
  char *name;        /* as given: lavapipe, swiftshader, emu, default, icd=PATH */
  char *icd;         /* manifest of the driver; NULL: whatever the loader finds */
  unsigned emulated; /* the emulator's subgroup size; 0: a Vulkan driver */
  char *info;        /* what the driver says of its first device: name, versions, subgroup size */
} HnDevice;

typedef struct HnDevices {
  HnDevice *at;
  size_t count;
} HnDevices;

/* `list` as --device: names with commas between, or "auto": those of lavapipe and swiftshader that
 * are installed. Asks each driver about itself, in a child process. `subgroup_size` is that of
 * device emu. On false *message is one line, to be freed. */
bool hn_devices_find(const char *list, unsigned subgroup_size, HnDevices *devices, char **message);
void hn_devices_free(HnDevices *devices);

#endif
