/* SPDX-License-Identifier: Apache-2.0 */
/* message: error messages of one line, which functions of the harness return to their callers. */
#ifndef HN_MESSAGE_H
#define HN_MESSAGE_H

#include <stdbool.h>

/* Sets *message to "SUBJECT: WHAT", which the caller frees, or to NULL if out of memory; returns
 * false. */
bool hn_message_set(char **message, const char *subject, const char *what);

#endif
