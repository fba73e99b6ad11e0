/* SPDX-License-Identifier: Apache-2.0 */
/* assembled: modules from assembly text, for tests on the library's internals. Numeric ids stay as
 * they are, so that a test can name them. */
#ifndef ASSEMBLED_H
#define ASSEMBLED_H

#include "ir/module.h"

/* Fails the test where the text, or the module, is bad. */
SrModule *assembled(SrArena *arena, const char *text);

#endif
