/* SPDX-License-Identifier: Apache-2.0 */
/* os_limit_posix: see os_limit.h. RLIMIT_DATA limits memory, and a processor-time timer's signal ends the process. */
#include "passes/tool/os/os_limit.h"

#include "passes/tool/os/os_new_handler.h"

#include <signal.h>
#include <stddef.h>
#include <sys/resource.h>
#include <sys/time.h>

static void (*on_time)(void);

static void no_time(int signal) {
  (void)signal;
  on_time();
}

/* Not under a sanitizer, whose own memory exceeds any limit. */
static void limit_data(uint64_t mib) {
#ifndef SPVRECONV_SANITIZED
  const rlim_t bytes = (rlim_t)mib << 20;
  struct rlimit limit;
  if (getrlimit(RLIMIT_DATA, &limit) == 0 &&
      (limit.rlim_cur == RLIM_INFINITY || limit.rlim_cur > bytes)) {
    limit.rlim_cur = bytes;
    setrlimit(RLIMIT_DATA, &limit);
  }
#else
  (void)mib;
#endif
}

void os_limit_memory(uint64_t mib, void (*reached)(void)) {
  limit_data(mib);
  os_set_new_handler(reached);
}

void os_limit_time(uint64_t seconds, void (*reached)(void)) {
  const struct itimerval timer = {.it_value = {.tv_sec = (time_t)seconds}};
  if (seconds) {
    on_time = reached;
    signal(SIGPROF, no_time);
  }
  setitimer(ITIMER_PROF, &timer, NULL);
}
