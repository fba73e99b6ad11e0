/* SPDX-License-Identifier: Apache-2.0 */
/* os_limit_windows: see os_limit.h. A job limits memory; a thread looks at the processor time. */
#include "passes/tool/os/os_limit.h"

#include "passes/tool/os/os_new_handler.h"

#include <stdbool.h>
#include <stdio.h>
#include <windows.h>

enum { LOOK_MILLISECONDS = 50 };

void os_limit_memory(uint64_t mib, void (*reached)(void)) {
  static bool limited;
  JOBOBJECT_EXTENDED_LIMIT_INFORMATION limits = {
      .BasicLimitInformation = {.LimitFlags = JOB_OBJECT_LIMIT_PROCESS_MEMORY},
      .ProcessMemoryLimit = (SIZE_T)mib << 20};
  HANDLE job = limited ? NULL : CreateJobObjectA(NULL, NULL);
  if (job &&
      SetInformationJobObject(job, JobObjectExtendedLimitInformation, &limits, sizeof limits))
    limited = AssignProcessToJobObject(job, GetCurrentProcess());
  os_set_new_handler(reached);
}

static uint64_t number(const FILETIME *time) {
  return (uint64_t)time->dwHighDateTime << 32 | time->dwLowDateTime;
}

/* Processor time so far, in units of 100 ns. */
static uint64_t used(void) {
  FILETIME created, ended, kernel, user;
  return GetProcessTimes(GetCurrentProcess(), &created, &ended, &kernel, &user)
             ? number(&kernel) + number(&user)
             : 0;
}

static volatile LONG64 deadline; /* in the same units; 0: there is none */
static void (*on_time)(void);

static DWORD WINAPI look(void *unused) {
  (void)unused;
  while (on_time) {
    Sleep(LOOK_MILLISECONDS);
    LONG64 end = InterlockedCompareExchange64(&deadline, 0, 0);
    if (end && used() > (uint64_t)end)
      on_time();
  }
  return 0;
}

void os_limit_time(uint64_t seconds, void (*reached)(void)) {
  static HANDLE looks;
  if (seconds)
    on_time = reached;
  InterlockedExchange64(&deadline, seconds ? (LONG64)(used() + seconds * 10000000) : 0);
  if (seconds && !looks)
    looks = CreateThread(NULL, 0, look, NULL, 0, NULL);
}
