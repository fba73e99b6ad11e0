/* SPDX-License-Identifier: Apache-2.0 */
/* tool_limit: see tool_limit.h.
 *
 * If memory is used up, malloc returns NULL, which the library reports. In SPIRV-Tools, C++'s new
 * calls a handler, which ends the process. If time is used up, another handler ends the process
 * (os_limit.h). Nothing is written before the work is done, so there is nothing to clean up.
 *
 * The texts of the messages are globals, written before the limits are set, since the handlers get
 * no arguments. */
#include "passes/tool/tool_limit.h"

#include "passes/tool/os/os_limit.h"
#include "passes/tool/os/os_task.h"
#include "passes/tool/tool_usage.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { DEFAULT_MIB = 3800, DEFAULT_SECONDS = 60, LEAST_MIB = 16, MOST_MIB = 1 << 30 };
enum { MOST_SECONDS = 1000000000 };

static char memory_text[512], time_text[512];

bool tool_limit_memory(ToolLimit *limit, const char *text) {
  return tool_number(text, LEAST_MIB, MOST_MIB, &limit->mib) ||
         tool_wrong("--max-memory expects a number of MiB, %d or more, not '%s'", LEAST_MIB, text);
}

bool tool_limit_time(ToolLimit *limit, const char *text) {
  return tool_number(text, 1, MOST_SECONDS, &limit->seconds) ||
         tool_wrong("--max-time expects a number of seconds, 1 or more, not '%s'", text);
}

/* Writes with calls that a signal handler may make. */
static void say(const char *text) {
  size_t length = strlen(text);
  while (length) {
    ssize_t n = write(STDERR_FILENO, text, length);
    if (n <= 0)
      return;
    text += n;
    length -= (size_t)n;
  }
}

bool tool_limit_say_memory(void) {
  say(memory_text);
  return *memory_text;
}

static void no_memory(void) {
  os_task_leave();
  say(memory_text);
  _exit(EXIT_FAILURE);
}

static void no_time(void) {
  os_task_leave();
  say(time_text);
  _exit(EXIT_FAILURE);
}

void tool_limit_begin(const ToolLimit *limit, const char *input) {
  uint64_t mib = limit->mib ? limit->mib : DEFAULT_MIB;
  uint64_t seconds = limit->seconds ? limit->seconds : DEFAULT_SECONDS;
  const char *name = strcmp(input, "-") != 0 ? input : "standard input";
  snprintf(memory_text, sizeof memory_text,
           "%s: %.300s: out of memory: more than %llu MiB would be needed (--max-memory)\n",
           tool_program, name, (unsigned long long)mib);
  snprintf(time_text, sizeof time_text,
           "%s: %.300s: out of time: more than %llu s would be needed (--max-time)\n", tool_program,
           name, (unsigned long long)seconds);
  os_limit_memory(mib, no_memory);
  os_limit_time(seconds, no_time);
}

void tool_limit_end(void) {
  os_limit_time(0, NULL);
}
