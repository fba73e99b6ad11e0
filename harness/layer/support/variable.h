/* SPDX-License-Identifier: Apache-2.0 */
/* variable: reads environment variables of the layer. An empty variable counts as unset; in a
 * process with more privileges than its user all variables count as unset (secure_getenv). For an
 * invalid value, the log gets a line that says which values are valid, and the fallback is used. */
#ifndef LY_VARIABLE_H
#define LY_VARIABLE_H

#include "harness/layer/support/log.h"

#include <stdbool.h>
#include <stddef.h>

/* The variable's value; NULL: it is unset. */
const char *ly_variable(const char *name);
/* A copy of the value, or of `fallback`, which may be NULL. False: out of memory. */
bool ly_variable_text(const char *name, const char *fallback, char **out);
/* A number above 0; `unit` is for the message. */
double ly_variable_number(const LyLog *log, const char *name, const char *unit, double fallback);
/* A switch: 0 or 1. */
bool ly_variable_switch(const LyLog *log, const char *name, bool fallback);
/* The index of the variable's value in `names`, which ends with NULL. */
int ly_variable_choice(const LyLog *log, const char *name, const char *const *names, int fallback);

/* Logs a line for each variable SPVRECONV_... that the layer does not know, with the nearest name
 * that it does know. */
void ly_variables_check(const LyLog *log);

#endif
