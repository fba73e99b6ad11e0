/* SPDX-License-Identifier: Apache-2.0 */
/* os_terminal_posix: see os_terminal.h. */
#include "passes/tool/os/os_terminal.h"

#include <sys/ioctl.h>
#include <unistd.h>

bool os_terminal_draws(void) {
  return isatty(STDERR_FILENO);
}

int os_terminal_columns(void) {
  struct winsize size = {0};
  return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

bool os_terminal_is_input(void) {
  return isatty(STDIN_FILENO);
}
