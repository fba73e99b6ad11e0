/* SPDX-License-Identifier: Apache-2.0 */
/* report_causes: the loops and branches by which a program wastes most, for the page.
 *
 * Each line counts for the loop or branch by which it loses most lanes (spv_emu_waste); a loop that
 * lanes leave in different iterations also counts what they run where they leave it. */
#ifndef EMU_REPORT_CAUSES_H
#define EMU_REPORT_CAUSES_H

#include "spv-emu/report/report_row.h"

#include <jansson.h>

/* [{kind: "loop" or "branch", file (index; null: not known), line, part, idle, text}, …], at most
 * 5, the largest `idle` first: inactive lane slots. `text` says how lanes are lost. Empty if the
 * run has not looked for causes. NULL: out of memory. */
json_t *emu_causes_array(const EmuPart *part);

#endif
