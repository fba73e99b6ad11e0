/* SPDX-License-Identifier: Apache-2.0 */
/* os_terminal: the terminal of standard error, and of standard input. */
#ifndef OS_TERMINAL_H
#define OS_TERMINAL_H

#include <stdbool.h>

/* Is standard error a terminal that erases and redraws lines when it is told so by escape sequences? */
bool os_terminal_draws(void);
/* The width of standard error's; 0: not known. */
int os_terminal_columns(void);
bool os_terminal_is_input(void);

#endif
