/* SPDX-License-Identifier: Apache-2.0 */
/* guard: see guard.h. */
#include "tests/fuzz/guard.h"

#include <getopt.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SECONDS = 10 };

bool guard_options(int argc, char **argv, uint64_t *count, uint64_t *seed) {
  static const struct option options[] = {{"count", required_argument, NULL, 'c'},
                                          {"seed", required_argument, NULL, 's'},
                                          {NULL, 0, NULL, 0}};
  for (int o; (o = getopt_long(argc, argv, "", options, NULL)) != -1;) {
    if (o == 'c')
      *count = strtoull(optarg, NULL, 0);
    else if (o == 's')
      *seed = strtoull(optarg, NULL, 0);
    else
      return false;
  }
  return *count > 0;
}

static char seed_text[64]; /* for the signal handler, which may only call write */

static void stopped(int signal) {
  const char *what = signal == SIGALRM ? "hang: " : "crash: ";
  bool written = write(STDERR_FILENO, what, strlen(what)) > 0 &&
                 write(STDERR_FILENO, seed_text, strlen(seed_text)) > 0;
  _exit(written ? 1 : 2);
}

void guard_start(void) {
  signal(SIGALRM, stopped);
#if !defined(SPVRECONV_SANITIZED) /* a sanitizer has its own report */
  signal(SIGSEGV, stopped);
  signal(SIGABRT, stopped);
#endif
}

void guard_begin(uint64_t seed) {
  snprintf(seed_text, sizeof seed_text, "--seed=%llu --count=1\n", (unsigned long long)seed);
  alarm(SECONDS);
}

void guard_end(void) {
  alarm(0);
}
