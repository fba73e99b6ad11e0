/* SPDX-License-Identifier: Apache-2.0 */
/* id_table: a number for each id, for work on one function after another.
 *
 * An array by id would be as large as the module, and clearing it for each function would take time
 * quadratic in the number of functions. A table here is emptied in constant time: an entry counts
 * only if its epoch is the table's. The module keeps tables that are no longer in use, to be used
 * again. */
#ifndef SR_ID_TABLE_H
#define SR_ID_TABLE_H

#include "passes/ir/module.h"

typedef struct SrIdEntry {
  uint32_t epoch, value;
} SrIdEntry;

typedef struct SrIdTable {
  SrArena *arena;
  SrIdEntry *at; /* by id */
  uint32_t room, epoch;
  struct SrIdTable *next; /* in the module's list of free tables */
} SrIdTable;

/* An empty table, which lives as long as the module. Takes a free table if there is one. */
SrIdTable *sr_ids_take(SrModule *m);
/* Puts the table into the list of free tables. */
void sr_ids_give(SrModule *m, SrIdTable *t);
void sr_ids_clear(SrIdTable *t);

/* The number set for the id since the last clear; SR_NONE: none. */
static inline uint32_t sr_ids_get(const SrIdTable *t, uint32_t id) {
  return id < t->room && t->at[id].epoch == t->epoch ? t->at[id].value : SR_NONE;
}
void sr_ids_set(SrIdTable *t, uint32_t id, uint32_t value);

#endif
