/* SPDX-License-Identifier: Apache-2.0 */
/* os_process_windows: see os_process.h. */
#include "passes/tool/os/os_process.h"

#include "passes/tool/os/os_spawn_windows.h"

#include <errno.h>
#include <windows.h>

int os_process_start(OsProcess *process, const char *const *arguments, int in, int out) {
  process->id = os_spawn(arguments, (const int[]){in, out, -1});
  return process->id != -1 ? 0 : errno;
}

OsProcessEnd os_process_wait(OsProcess *process, uint64_t seconds) {
  HANDLE child = (HANDLE)process->id;
  DWORD code = 1;
  bool ended =
      WaitForSingleObject(child, seconds < INFINITE / 1000 ? (DWORD)seconds * 1000
                                                           : INFINITE - 1) == WAIT_OBJECT_0;
  if (!ended)
    TerminateProcess(child, 1);
  else
    GetExitCodeProcess(child, &code);
  CloseHandle(child);
  return !ended ? OS_PROCESS_TOO_LONG : code == 0 ? OS_PROCESS_DONE : OS_PROCESS_FAILED;
}
