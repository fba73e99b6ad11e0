/* SPDX-License-Identifier: Apache-2.0 */
/* capture_device: see capture_device.h. Devices are found by the dispatch key, the pointer that the loader
 * writes at the start of every dispatchable handle. */
#include "harness/capture/capture_device.h"

#include <stdlib.h>
#include <string.h>

static CpHandles devices;
static pthread_rwlock_t devices_lock = PTHREAD_RWLOCK_INITIALIZER;

static uint64_t key_of(const void *dispatchable) {
  return (uint64_t)(uintptr_t) * (void *const *)dispatchable;
}

CpDevice *cp_device_of(const void *dispatchable) {
  pthread_rwlock_rdlock(&devices_lock);
  CpDevice *device = cp_handles_find(&devices, key_of(dispatchable));
  pthread_rwlock_unlock(&devices_lock);
  return device;
}

void cp_device_forget(CpDevice *device) {
  pthread_rwlock_wrlock(&devices_lock);
  cp_handles_take(&devices, key_of(device->handle));
  pthread_rwlock_unlock(&devices_lock);
}

bool cp_device_add(CpDevice *d) {
  pthread_rwlock_wrlock(&devices_lock);
  bool added = !cp_handles_find(&devices, key_of(d->handle)) &&
               cp_handles_put(&devices, key_of(d->handle), d);
  pthread_rwlock_unlock(&devices_lock);
  return added;
}

void cp_device_keep(CpDevice *d, CpHandles *handles, uint64_t handle, const void *record,
                    size_t size) {
  void *copy = malloc(size);
  pthread_mutex_lock(&d->lock);
  if (copy) {
    memcpy(copy, record, size);
    free(cp_handles_take(handles, handle));
    if (!cp_handles_put(handles, handle, copy))
      free(copy);
  }
  pthread_mutex_unlock(&d->lock);
}
