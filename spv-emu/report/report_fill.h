/* SPDX-License-Identifier: Apache-2.0 */
/* report_fill: fills a template of an HTML page. Other programs use it for their pages, too. */
#ifndef EMU_REPORT_FILL_H
#define EMU_REPORT_FILL_H

#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>

/* Writes the text that replaces {{name}}; false: it cannot be made. */
typedef bool EmuFill(void *user, const char *name, FILE *out);

/* The template with each {{name}} replaced. The caller frees it. NULL: out of memory, or `fill`
 * failed. */
char *emu_fill_page(const unsigned char *template, size_t size, EmuFill *fill, void *user);
/* Writes text so that it contains neither markup nor the end of an attribute's value. */
void emu_fill_text(FILE *out, const char *text);
/* Writes data so that no string in it can end a script element; false: `data` is NULL, or out of
 * memory. */
bool emu_fill_json(FILE *out, const json_t *data);

#endif
