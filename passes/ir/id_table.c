/* SPDX-License-Identifier: Apache-2.0 */
/* id_table: see id_table.h. */
#include "passes/ir/id_table.h"

void sr_ids_clear(SrIdTable *t) {
  if (t->epoch == UINT32_MAX) {
    memset(t->at, 0, t->room * sizeof *t->at);
    t->epoch = 0;
  }
  t->epoch++;
}

SrIdTable *sr_ids_take(SrModule *m) {
  SrIdTable *t = m->id_tables;
  if (t) {
    m->id_tables = t->next;
  } else {
    t = SR_NEW(m->arena, SrIdTable, 1);
    t->arena = m->arena;
  }
  sr_ids_clear(t);
  return t;
}

void sr_ids_give(SrModule *m, SrIdTable *t) {
  t->next = m->id_tables;
  m->id_tables = t;
}

static void grow(SrIdTable *t, uint32_t id) {
  uint32_t room = id < UINT32_MAX / 2 ? id + id / 2 + 64 : UINT32_MAX;
  t->at = sr_alloc_more(t->arena, t->at, t->room, room, sizeof *t->at);
  memset(t->at + t->room, 0, (room - t->room) * sizeof *t->at);
  t->room = room;
}

void sr_ids_set(SrIdTable *t, uint32_t id, uint32_t value) {
  if (id >= t->room)
    grow(t, id);
  t->at[id] = (SrIdEntry){t->epoch, value};
}
