/* SPDX-License-Identifier: Apache-2.0 */
/* coverage_exit: writes the counts of a process even if it leaves by _exit.
 *
 * GCC's counters are written by a destructor, which _exit does not run; the harness's children and
 * the signal handlers of passes/tool/tool_limit.c leave by _exit. A build with SPVRECONV_COVERAGE
 * links this file with -Wl,--wrap=_exit: every call of _exit in this project's code reaches this
 * one. libgcov writes the counters of a process only once. */
#include <stdnoreturn.h>

void __gcov_dump(void);
noreturn void __real__exit(int status);
noreturn void __wrap__exit(int status);

void __wrap__exit(int status) {
  __gcov_dump();
  __real__exit(status);
}
