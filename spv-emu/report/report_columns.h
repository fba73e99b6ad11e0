/* SPDX-License-Identifier: Apache-2.0 */
/* report_columns: the columns of the table. */
#ifndef EMU_REPORT_COLUMNS_H
#define EMU_REPORT_COLUMNS_H

#include "spv-emu/report/report_row.h"
#include "spv-emu/report/report_table.h"

typedef enum EmuColumn {
  EMU_COLUMN_INPUT, /* of several: set where their tables become one */
  EMU_COLUMN_VARIANT,
  EMU_COLUMN_VALUE, /* and the next ones: of what is swept */
  EMU_COLUMN_POLICY = EMU_COLUMN_VALUE + EMU_ROW_VALUES,
  EMU_COLUMN_ISSUES,
  EMU_COLUMN_SLOTS,
  EMU_COLUMN_RATIO,
  EMU_COLUMN_LANE_INSTRUCTIONS,
  EMU_COLUMN_ACTIVITY,
  EMU_COLUMN_HELPER,
  EMU_COLUMN_QUAD_BREAKS,
  EMU_COLUMN_DIVERGENT,
  EMU_COLUMN_RECONVERGE,
  EMU_COLUMN_STACK,
  EMU_COLUMN_SPILLS,
  EMU_COLUMN_EFFICIENCY,
  EMU_COLUMN_CYCLES,
  EMU_COLUMN_UTILISATION,
  EMU_COLUMN_STATUS,
  EMU_COLUMNS
} EmuColumn;

_Static_assert((int)EMU_COLUMNS <= (int)EMU_TABLE_COLUMNS, "the table has too few columns");

/* They hold names. */
enum { EMU_LEFT_COLUMNS = 1 << EMU_COLUMN_INPUT | 1 << EMU_COLUMN_POLICY | 1 << EMU_COLUMN_STATUS };

#endif
