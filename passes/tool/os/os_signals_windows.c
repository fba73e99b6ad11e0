/* SPDX-License-Identifier: Apache-2.0 */
/* os_signals_windows: see os_signals.h. */
#include "passes/tool/os/os_signals.h"

#include "passes/tool/os/os_spawn_windows.h"

#include <fcntl.h>
#include <io.h>
#include <sys/stat.h>
#include <windows.h>

void os_signals_hold(OsSignals *s) {
  (void)s;
}

void os_signals_release(const OsSignals *s) {
  (void)s;
}

int os_signals_run(const OsSignals *s, const char *const *arguments, const char *log) {
  int out = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_BINARY, S_IRUSR | S_IWUSR);
  intptr_t child = out < 0 ? -1 : os_spawn(arguments, (const int[]){-1, out, out});
  DWORD code = (DWORD)-1;
  (void)s;
  if (out >= 0)
    close(out);
  if (child == -1)
    return -1;
  WaitForSingleObject((HANDLE)child, INFINITE);
  GetExitCodeProcess((HANDLE)child, &code);
  CloseHandle((HANDLE)child);
  return (int)code;
}
