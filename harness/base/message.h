/* SPDX-License-Identifier: Apache-2.0 */
/* message: error messages of one line, which functions of the harness return to their callers. */
#ifndef HN_MESSAGE_H
#define HN_MESSAGE_H

#include <stdbool.h>

/* Sets *message to "SUBJECT: WHAT", or to NULL if out of memory; the caller frees it. Returns
 * false. */
bool hn_message_set(char **message, const char *subject, const char *what);

#endif
