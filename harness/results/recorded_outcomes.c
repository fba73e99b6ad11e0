/* SPDX-License-Identifier: Apache-2.0 */
/* recorded_outcomes: see recorded_outcomes.h. A hash table with open addressing. Its keys are
 * 64-bit hashes, which are assumed not to collide. */
#include "harness/results/recorded_outcomes.h"
#include "harness/results/results_db.h"

#include "harness/base/message.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

typedef struct Slot {
  uint64_t key; /* 0: free */
  size_t row;   /* index in rows; NO_ROW: the key is of a place, which has no row */
} Slot;

#define NO_ROW SIZE_MAX

typedef struct Lookup {
  const char *path;
  HnDb *db; /* NULL: not opened yet */
  bool bad; /* the database cannot be opened */
} Lookup;

struct HnRecorded {
  const uint64_t *setups;
  size_t setup_count;
  Slot *slots;
  size_t slot_room, slot_count; /* room is a power of two */
  HnResult *rows;
  size_t row_count, row_room;
  Lookup *lookups;
  size_t lookup_count;
  bool own; /* the run's own file is being loaded */
};

/* ---- the table ---- */

static uint64_t hash_text(uint64_t hash, const char *text) {
  return XXH3_64bits_withSeed(text, strlen(text), hash);
}

static uint64_t content_key(const HnOutcomeKey *key) {
  const uint64_t hashes[] = {key->case_hash, key->setup_hash};
  uint64_t hash = hash_text(XXH3_64bits(hashes, sizeof hashes), key->variant);
  return hash ? hash : 1;
}

static uint64_t place_key(const char *path, const char *device, const HnOutcomeKey *key) {
  uint64_t hash = hash_text(hash_text(content_key(key), path), device);
  return hash ? hash : 1;
}

/* The slot of the key, or the free one where it is to be inserted. */
static Slot *slot_of(const HnRecorded *r, uint64_t key) {
  size_t at = key & (r->slot_room - 1);
  while (r->slots[at].key && r->slots[at].key != key)
    at = (at + 1) & (r->slot_room - 1);
  return &r->slots[at];
}

static bool grow_slots(HnRecorded *r) {
  if (r->slot_count < r->slot_room / 2)
    return true;
  Slot *old = r->slots, *larger = calloc(2 * r->slot_room, sizeof *larger);
  if (!larger)
    return false;
  size_t old_room = r->slot_room;
  r->slots = larger;
  r->slot_room = 2 * old_room;
  for (size_t i = 0; i < old_room; i++)
    if (old[i].key)
      *slot_of(r, old[i].key) = old[i];
  free(old);
  return true;
}

static Slot *take_slot(HnRecorded *r, uint64_t key) {
  if (!grow_slots(r))
    return NULL;
  Slot *slot = slot_of(r, key);
  if (!slot->key) {
    *slot = (Slot){key, NO_ROW};
    r->slot_count++;
  }
  return slot;
}

static bool grow_rows(HnRecorded *r) {
  if (r->row_count < r->row_room)
    return true;
  size_t room = r->row_room ? 2 * r->row_room : 256;
  HnResult *rows = realloc(r->rows, room * sizeof *rows);
  if (!rows)
    return false;
  r->rows = rows;
  r->row_room = room;
  return true;
}

static bool put_outcome(HnRecorded *r, const HnOutcomeKey *key, const HnResult *result) {
  Slot *slot = take_slot(r, content_key(key));
  if (!slot || !grow_rows(r))
    return false;
  if (slot->row == NO_ROW)
    slot->row = r->row_count++;
  else
    free(r->rows[slot->row].message);
  HnResult *row = &r->rows[slot->row];
  *row = *result;
  row->recorded = true;
  row->message = result->message ? strdup(result->message) : NULL;
  return row->message || !result->message;
}

/* ---- files ---- */

static bool is_of_this_run(const HnRecorded *r, uint64_t setup_hash) {
  for (size_t i = 0; i < r->setup_count; i++)
    if (r->setups[i] == setup_hash)
      return true;
  return false;
}

static bool load_outcome(void *user, const HnOutcomeKey *key, const HnResult *result) {
  HnRecorded *r = user;
  return !is_of_this_run(r, key->setup_hash) || put_outcome(r, key, result);
}

static bool load_place(void *user, const char *path, const char *device, const HnOutcomeKey *key) {
  HnRecorded *r = user;
  return !r->own || !is_of_this_run(r, key->setup_hash) ||
         take_slot(r, place_key(path, device, key)) != NULL;
}

static bool add_lookup(HnRecorded *r, const char *path, char **message) {
  Lookup *lookups = realloc(r->lookups, (r->lookup_count + 1) * sizeof *lookups);
  HnDb *db;
  if (!lookups)
    return hn_message_set(message, path, "out of memory");
  r->lookups = lookups;
  if (!hn_db_open(path, HN_DB_LOOKUP, &db, message))
    return false;
  hn_db_close(db); /* a connection must not be used across a fork */
  lookups[r->lookup_count++] = (Lookup){.path = path};
  return true;
}

bool hn_recorded_load(HnRecorded *recorded, const char *path, bool own, char **message) {
  const HnVisitor visitor = {recorded, load_outcome, load_place, NULL};
  size_t torn;
  *message = NULL;
  if (!own && hn_db_is_merged(path))
    return add_lookup(recorded, path, message);
  recorded->own = own;
  bool good = hn_results_read(path, &visitor, &torn, message);
  if (!good && !*message)
    hn_message_set(message, path, "out of memory");
  return good;
}

/* ---- the run ---- */

HnRecorded *hn_recorded_new(const uint64_t *setups, size_t setup_count) {
  HnRecorded *r = calloc(1, sizeof *r);
  if (!r)
    return NULL;
  r->setups = setups;
  r->setup_count = setup_count;
  r->slot_room = 1024;
  r->slots = calloc(r->slot_room, sizeof *r->slots);
  if (r->slots)
    return r;
  free(r);
  return NULL;
}

static HnOutcomeKey key_in(const HnGroup *group, uint32_t variant) {
  return (HnOutcomeKey){group->case_hash, group->setup_hash, group->variants[variant]};
}

bool hn_recorded_add(HnRecorded *recorded, const HnGroup *group) {
  for (uint32_t v = 0; v < group->count; v++) {
    const HnOutcomeKey key = key_in(group, v);
    if (!put_outcome(recorded, &key, &group->results[v]))
      return false;
  }
  return true;
}

bool hn_recorded_has(const HnRecorded *recorded, const HnGroup *group) {
  for (uint32_t v = 0; v < group->count; v++) {
    const HnOutcomeKey key = key_in(group, v);
    if (!slot_of(recorded, place_key(group->path, group->device, &key))->key)
      return false;
  }
  return true;
}

static bool look_up(Lookup *l, const HnOutcomeKey *key, HnResult *result) {
  char *message;
  if (!l->db && !l->bad && !hn_db_open(l->path, HN_DB_LOOKUP, &l->db, &message)) {
    free(message);
    l->bad = true;
  }
  return l->db && hn_db_find(l->db, key, result);
}

bool hn_recorded_find(HnRecorded *recorded, const HnOutcomeKey *key, HnResult *result) {
  const Slot *slot = slot_of(recorded, content_key(key));
  if (slot->key) {
    *result = recorded->rows[slot->row];
    result->message = result->message ? strdup(result->message) : NULL;
    return true;
  }
  for (size_t i = 0; i < recorded->lookup_count; i++)
    if (look_up(&recorded->lookups[i], key, result))
      return true;
  return false;
}

void hn_recorded_free(HnRecorded *recorded) {
  if (!recorded)
    return;
  for (size_t i = 0; i < recorded->row_count; i++)
    free(recorded->rows[i].message);
  for (size_t i = 0; i < recorded->lookup_count; i++)
    hn_db_close(recorded->lookups[i].db);
  free(recorded->lookups);
  free(recorded->rows);
  free(recorded->slots);
  free(recorded);
}
