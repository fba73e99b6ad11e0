/* SPDX-License-Identifier: Apache-2.0 */
/* report_page_pixels: the pictures that a draw has made and the cost of its pixels, for the page:
 * null, or
 *
 *   width, height        of the framebuffer
 *   side, columns, rows  cells of side x side pixels, of which the page shows the sums
 *   pictures             PNG files in base64, with a pixel for each cell; no two are equal
 *   maps                 of the results that have one:
 *     result     index in report.results
 *     picture    index; null: there is none, or it is too large
 *     issues, lost   emu_cells_text, or the index of an earlier map with the same text
 *     subgroups      the same of the cells' subgroups, of a draw's last one: 1 + its number; 0: none
 *     sums       {issues, lost}: of all pixels
 *     most       {issues, lost}: the largest number of a cell */
#ifndef EMU_REPORT_PAGE_PIXELS_H
#define EMU_REPORT_PAGE_PIXELS_H

#include "spv-emu/report/report.h"

#include <jansson.h>

json_t *emu_page_pixels(const EmuReport *report);

#endif
