/* SPDX-License-Identifier: Apache-2.0 */
/* statement: statements of a single invocation: assignments, selections, switches with
 * fall-through, loops with several exits, calls, returns.
 *
 * Every loop ends: each iteration uses one of the invocation's units of fuel, and without fuel the
 * loop stops. */
#ifndef DIFF_STATEMENT_H
#define DIFF_STATEMENT_H

#include "tests/diff/source.h"

void put_statement(Source *s);
/* Writes one to four statements between braces, with `before` as the first line if not NULL. */
void put_block(Source *s, const char *before);
/* Writes what follows the locals of a function `uint f(..., S s)`: two to five statements, each of which may return, and
 * the last return. */
void put_function_body(Source *s);

#endif
