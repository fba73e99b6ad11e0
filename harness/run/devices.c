/* SPDX-License-Identifier: Apache-2.0 */
/* devices: see devices.h. */
#include "harness/run/devices.h"

#include "harness/run/backend_open.h"

#include <fcntl.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* Where distributions install the manifests of the two software drivers. */
static const struct {
  const char *name, *pattern;
} known[] = {
    {"lavapipe", "{/etc,/usr/local/share,/usr/share}/vulkan/icd.d/lvp_icd*.json"},
    {"swiftshader", "{/etc/vulkan/icd.d,/usr/local/share/vulkan/icd.d,/usr/share/vulkan/icd.d,"
                    "/usr/lib/chromium}/vk_swiftshader_icd*.json"},
};

enum { KNOWN = sizeof known / sizeof *known };

static bool tell(char **message, const char *name, const char *what) {
  if (asprintf(message, "device %s: %s", name, what) < 0)
    *message = NULL;
  return false;
}

static char *find_manifest(const char *pattern) {
  glob_t found;
  char *path = NULL;
  if (glob(pattern, GLOB_BRACE, NULL, &found) == 0) {
    path = strdup(found.gl_pathv[0]);
    globfree(&found);
  }
  return path;
}

/* ---- asking the driver ---- */

/* Runs in the child: writes '+' and the lines of the devices, or '-' and the error. The driver's
 * own output is discarded. */
static void answer(const HnDevice *device, int fd) {
  char *text;
  int null = open("/dev/null", O_RDWR | O_CLOEXEC);
  dup2(null, STDOUT_FILENO);
  dup2(null, STDERR_FILENO);
  const HnBackendOptions options = {.icd = device->icd,
                                    .emulated = device->emulated,
                                    .opencl = device->opencl,
                                    .idle = device->idle,
                                    .device_name = device->choice};
  bool good = hn_backend_list(&options, &text);
  FILE *out = fdopen(fd, "w");
  if (out) {
    fprintf(out, "%c%s", good ? '+' : '-', text ? text : "");
    fclose(out);
  }
  free(text);
}

static char *read_answer(int fd) {
  char *text = NULL;
  size_t size = 0;
  FILE *in = fdopen(fd, "r");
  if (in && getdelim(&text, &size, 0, in) < 1) {
    free(text);
    text = NULL;
  }
  if (in)
    fclose(in);
  return text;
}

static bool ask(HnDevice *device, char **message) {
  int ends[2];
  if (pipe(ends) != 0)
    return tell(message, device->name, "no pipe");
  fflush(NULL);
  pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    answer(device, ends[1]);
    _exit(0);
  }
  close(ends[1]);
  char *text = read_answer(ends[0]);
  if (child > 0)
    waitpid(child, NULL, 0);
  bool good = text && text[0] == '+' && text[1];
  if (good) {
    device->all = strdup(text + 1);
    device->info = strndup(text + 1, strcspn(text + 1, "\n"));
  } else {
    tell(message, device->name, text && text[0] == '-' ? text + 1 : "the driver offers no device");
  }
  free(text);
  return good;
}

/* ---- the list ---- */

/* Splits off :NAME; the path of a manifest may contain a colon too. */
static bool split(HnDevice *device, char *driver, char **message) {
  bool path = strncmp(driver, "icd=", 4) == 0;
  char *colon = path ? strrchr(driver, ':') : strchr(driver, ':');
  if (!colon || (path && access(driver + 4, F_OK) == 0))
    return true;
  *colon = 0;
  device->choice = strdup(colon + 1);
  return device->choice || tell(message, device->name, "out of memory");
}

static bool find_driver(HnDevice *device, const char *driver, unsigned subgroup_size,
                        char **message) {
  if (strcmp(driver, "default") == 0)
    return true;
  if (strncmp(driver, "icd=", 4) == 0)
    return (device->icd = strdup(driver + 4)) || tell(message, device->name, "out of memory");
  for (size_t i = 0; i < KNOWN; i++)
    if (strcmp(driver, known[i].name) == 0)
      return (device->icd = find_manifest(known[i].pattern)) ||
             tell(message, device->name, "its driver is not installed");
  if (strcmp(driver, "emu") == 0) {
    device->emulated = subgroup_size;
    return true;
  }
  if (strcmp(driver, "pocl") == 0) {
    device->opencl = "Portable Computing Language";
    return true;
  }
  if (strcmp(driver, "none") == 0)
    return device->idle = true;
  return tell(message, device->name,
              "there are lavapipe, swiftshader, emu, pocl, none, default, icd=PATH; or auto");
}

static bool resolve(HnDevice *device, unsigned subgroup_size, char **message) {
  char *driver = strdup(device->name);
  bool good = driver && split(device, driver, message) &&
              find_driver(device, driver, subgroup_size, message);
  free(driver);
  return good;
}

static bool has(const HnDevices *devices, const char *name, size_t length) {
  for (size_t i = 0; i < devices->count; i++)
    if (strlen(devices->at[i].name) == length && strncmp(devices->at[i].name, name, length) == 0)
      return true;
  return false;
}

static bool add(HnDevices *devices, const char *name, size_t length, unsigned subgroup_size,
                char **message) {
  if (has(devices, name, length))
    return true;
  HnDevice *more = realloc(devices->at, (devices->count + 1) * sizeof *more);
  if (!more)
    return tell(message, name, "out of memory");
  devices->at = more;
  HnDevice *device = &more[devices->count++];
  *device = (HnDevice){.name = strndup(name, length)};
  return device->name && resolve(device, subgroup_size, message) && ask(device, message);
}

static bool add_installed(HnDevices *devices, char **message) {
  bool good = true;
  for (size_t i = 0; good && i < KNOWN; i++) {
    char *manifest = find_manifest(known[i].pattern);
    if (manifest)
      good = add(devices, known[i].name, strlen(known[i].name), 0, message);
    free(manifest);
  }
  if (good && devices->count == 0)
    return tell(message, "auto", "neither lavapipe nor SwiftShader is installed");
  return good;
}

bool hn_devices_find(const char *list, unsigned subgroup_size, HnDevices *devices, char **message) {
  *devices = (HnDevices){0};
  *message = NULL;
  bool good = true;
  if (strcmp(list, "auto") == 0)
    good = add_installed(devices, message);
  else
    for (const char *p = list; good; p++) {
      size_t length = strcspn(p, ",");
      good = add(devices, p, length, subgroup_size, message);
      p += length;
      if (!*p)
        break;
    }
  if (!good)
    hn_devices_free(devices);
  return good;
}

void hn_devices_free(HnDevices *devices) {
  for (size_t i = 0; i < devices->count; i++) {
    free(devices->at[i].name);
    free(devices->at[i].icd);
    free(devices->at[i].choice);
    free(devices->at[i].all);
    free(devices->at[i].info);
  }
  free(devices->at);
  *devices = (HnDevices){0};
}
