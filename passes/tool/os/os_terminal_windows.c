/* SPDX-License-Identifier: Apache-2.0 */
/* os_terminal_windows: see os_terminal.h. */
#include "passes/tool/os/os_terminal.h"

#include <windows.h>

#ifndef ENABLE_VIRTUAL_TERMINAL_PROCESSING
#define ENABLE_VIRTUAL_TERMINAL_PROCESSING 4
#endif

/* isatty calls every device a terminal, the empty one too. */
static bool is_console(DWORD which, DWORD *mode) {
  return GetConsoleMode(GetStdHandle(which), mode);
}

bool os_terminal_draws(void) {
  DWORD mode;
  return is_console(STD_ERROR_HANDLE, &mode) &&
         SetConsoleMode(GetStdHandle(STD_ERROR_HANDLE), mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
}

int os_terminal_columns(void) {
  CONSOLE_SCREEN_BUFFER_INFO about;
  return GetConsoleScreenBufferInfo(GetStdHandle(STD_ERROR_HANDLE), &about)
             ? about.srWindow.Right - about.srWindow.Left + 1
             : 0;
}

bool os_terminal_is_input(void) {
  DWORD mode;
  return is_console(STD_INPUT_HANDLE, &mode);
}
