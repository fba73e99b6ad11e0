/* SPDX-License-Identifier: Apache-2.0 */
/* dispatch: see dispatch.h. Processes have few instances and devices, so a list is enough. */
#include "harness/layer/dispatch.h"

typedef struct Table {
  pthread_rwlock_t lock;
  LyRecord *first;
} Table;

static Table instances = {.lock = PTHREAD_RWLOCK_INITIALIZER};
static Table devices = {.lock = PTHREAD_RWLOCK_INITIALIZER};

/* The link to the record of `key`, or where to insert it. */
static LyRecord **place(Table *table, const void *key) {
  LyRecord **at = &table->first;
  while (*at && (*at)->key != key)
    at = &(*at)->next;
  return at;
}

static bool add(Table *table, LyRecord *record) {
  pthread_rwlock_wrlock(&table->lock);
  LyRecord **at = place(table, record->key);
  bool is_new = !*at;
  if (is_new)
    *at = record;
  pthread_rwlock_unlock(&table->lock);
  return is_new;
}

static LyRecord *find(Table *table, const void *handle) {
  pthread_rwlock_rdlock(&table->lock);
  LyRecord *record = *place(table, ly_key(handle));
  pthread_rwlock_unlock(&table->lock);
  return record;
}

static LyRecord *take(Table *table, const void *handle) {
  pthread_rwlock_wrlock(&table->lock);
  LyRecord **at = place(table, ly_key(handle)), *record = *at;
  if (record)
    *at = record->next;
  pthread_rwlock_unlock(&table->lock);
  return record;
}

bool ly_instance_add(LyInstance *instance) {
  return add(&instances, &instance->record);
}

bool ly_device_add(LyDevice *device) {
  return add(&devices, &device->record);
}

/* The record is the first member. */
LyInstance *ly_instance_find(const void *handle) {
  return (LyInstance *)find(&instances, handle);
}

LyDevice *ly_device_find(const void *handle) {
  return (LyDevice *)find(&devices, handle);
}

LyInstance *ly_instance_take(const void *handle) {
  return (LyInstance *)take(&instances, handle);
}

LyDevice *ly_device_take(const void *handle) {
  return (LyDevice *)take(&devices, handle);
}
