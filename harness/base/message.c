/* SPDX-License-Identifier: Apache-2.0 */
/* message: see message.h. */
#include "harness/base/message.h"

#include <stdio.h>

bool hn_message_set(char **message, const char *subject, const char *what) {
  if (asprintf(message, "%s: %s", subject, what) < 0)
    *message = NULL;
  return false;
}
