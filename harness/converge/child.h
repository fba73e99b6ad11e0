/* SPDX-License-Identifier: Apache-2.0 */
/* child: a process of its own for a driver, which may crash or hang. */
#ifndef CV_CHILD_H
#define CV_CHILD_H

#include <stddef.h>

/* To be called first in the child: it dies with its parent, and prints nothing. */
void cv_child_begin(void);
/* Lets a signal end the process after this many seconds of processor time from now, or ten times as
 * many on the clock. */
void cv_child_limit(double seconds);
/* Why a child died, from the status of waitpid, in one line; `seconds`: its limit. */
void cv_child_died(int status, double seconds, char *why, size_t room);

#endif
