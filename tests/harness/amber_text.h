/* SPDX-License-Identifier: Apache-2.0 */
/* amber_text: parses scripts in tests, and frees them. */
#ifndef AMBER_TEXT_H
#define AMBER_TEXT_H

#include "spv-emu/script/script.h"

/* Parses the script, to which the first line "#!amber" is added (so the text starts on line 2). The
 * test fails if it does not parse. */
AmberScript *amber_text_good(const char *text);
/* The text must be refused, with a message that contains `want`. */
void amber_text_refused(AmberStatus status, const char *text, const char *want);
/* The contents of a file, zero-terminated, to be freed; NULL: it cannot be read. */
char *amber_text_file(const char *path, size_t *size);

#endif
