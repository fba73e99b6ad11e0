/* SPDX-License-Identifier: Apache-2.0 */
/* cli_progress: see cli_progress.h. The whole drawing is replaced each time: the cursor goes up to
 * its first line, and the terminal is cleared from there. Lines are cut at the terminal's width,
 * since one that wraps would take two. */
#include "spv-emu/cli/cli_progress.h"

#include "passes/base/clock.h"
#include "passes/tool/os/os_terminal.h"
#include "spv-emu/report/report_row.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>

static const double FIRST = 0.5, NEXT = 0.1; /* seconds until a drawing */
static const double LONGEST = 86400;         /* seconds left that are shown */
enum { DEFAULT_COLUMNS = 80 };
#define DEFAULT_ISSUES ((uint64_t)1000000000)

/* Set by the handler, which has no arguments. */
static volatile sig_atomic_t interrupted;

/* The next signal ends the process. */
static void interrupt(int number) {
  interrupted = 1;
  signal(number, SIG_DFL);
}

/* ---- texts ----------------------------------------------------------------------------------- */

/* "950", "12.3 K", "4.5 M" */
static void add_count(char *text, size_t size, double count) {
  static const char units[] = " KMGTPE";
  int unit = 0;
  while (count >= 999.5 && units[unit + 1]) {
    count /= 1000;
    unit++;
  }
  size_t used = strlen(text);
  if (unit)
    snprintf(text + used, size - used, "%.3g %c", count, units[unit]);
  else
    snprintf(text + used, size - used, "%.0f", count);
}

/* Adds "; 12 of 64 subgroups, 35 s left"; before any has ended, how long --max-issues may take. */
static void add_rest(const EmuCliProgress *p, char *text, size_t size, double issued, double rate,
                     double elapsed, uint64_t subgroups) {
  size_t used = strlen(text);
  double most = (double)p->max_issues;
  if (p->done && p->done <= subgroups)
    snprintf(text + used, size - used, "; %" PRIu64 " of %" PRIu64 " subgroups, %.0f s left",
             p->done, subgroups, elapsed * (double)(subgroups - p->done) / (double)p->done);
  else if (issued < most && most - issued < LONGEST * rate)
    snprintf(text + used, size - used, "; at most %.0f s left (--max-issues)",
             (most - issued) / rate);
}

/* "pdom, 3 of 10: 12.3 M issues, 45 M/s; …" */
static void set_line(const EmuCliProgress *p, char *text, size_t size, double time,
                     uint64_t subgroups) {
  double elapsed = time - p->dispatch;
  double issued = (double)(__atomic_load_n(&p->issued, __ATOMIC_RELAXED) - p->before);
  double rate = elapsed > 0 ? issued / elapsed : 0;
  snprintf(text, size, "%s, %" PRIu32 " of %" PRIu32 ": ", p->policy ? p->policy : "default policy",
           p->row, p->rows);
  add_count(text, size, issued + (double)p->before);
  strncat(text, " issues, ", size - strlen(text) - 1);
  add_count(text, size, rate);
  strncat(text, "/s", size - strlen(text) - 1);
  add_rest(p, text, size, issued, rate, elapsed, subgroups);
}

/* ---- drawing --------------------------------------------------------------------------------- */

static int columns(void) {
  int known = os_terminal_columns();
  return known ? known : DEFAULT_COLUMNS;
}

static void erase(EmuCliProgress *p) {
  if (p->lines > 0)
    fprintf(stderr, "\r\033[%dA\033[J", p->lines);
  else if (p->lines == 0)
    fputs("\r\033[J", stderr);
  p->lines = -1;
}

static void draw(EmuCliProgress *p, double time, uint64_t subgroups) {
  char line[EMU_PROGRESS_WIDTH];
  int width = columns() - 1;
  erase(p);
  p->lines = 0;
  for (uint32_t i = p->kept_count > EMU_PROGRESS_ROWS ? p->kept_count - EMU_PROGRESS_ROWS : 0;
       i < p->kept_count; i++, p->lines++)
    fprintf(stderr, "%.*s\n", width, p->kept[i % EMU_PROGRESS_ROWS]);
  set_line(p, line, sizeof line, time, subgroups);
  fprintf(stderr, "%.*s", width, line);
  fflush(stderr);
  p->drawn = time;
}

/* The thread that finds the flag clear draws. Other threads may change the numbers meanwhile: they
 * are shown, and used for nothing else. */
static bool go_on(void *user, uint64_t issued, uint64_t done, uint64_t subgroups) {
  EmuCliProgress *p = user;
  __atomic_add_fetch(&p->issued, issued, __ATOMIC_RELAXED);
  if (__atomic_test_and_set(&p->drawing, __ATOMIC_ACQUIRE))
    return !interrupted;
  double time = sr_now();
  if (done < p->done || !p->dispatch) { /* another dispatch */
    p->dispatch = time;
    p->before = __atomic_load_n(&p->issued, __ATOMIC_RELAXED);
  }
  p->done = done;
  if (time - p->begun >= FIRST && time - p->drawn >= NEXT)
    draw(p, time, subgroups);
  __atomic_clear(&p->drawing, __ATOMIC_RELEASE);
  return !interrupted;
}

/* ---- rows ------------------------------------------------------------------------------------ */

void emu_cli_progress_begin(EmuCliProgress *p, uint32_t rows, uint64_t max_issues) {
  *p = (EmuCliProgress){.to = {p, go_on},
                        .terminal = os_terminal_draws(),
                        .rows = rows,
                        .max_issues = max_issues ? max_issues : DEFAULT_ISSUES,
                        .begun = sr_now(),
                        .lines = -1};
  if (!p->terminal)
    return;
  void (*before)(int) = signal(SIGINT, interrupt);
  p->listens = before == SIG_DFL;
  if (!p->listens && before != SIG_ERR) /* it is ignored, as of a shell's & */
    signal(SIGINT, before);
}

bool emu_cli_progress_row(EmuCliProgress *p, const char *policy) {
  p->row++;
  p->policy = policy;
  p->issued = p->before = p->done = 0;
  p->dispatch = 0;
  return !interrupted;
}

bool emu_cli_progress_done(EmuCliProgress *p, const EmuRow *row) {
  spv_emu_result r = emu_row_total(row);
  char *text = p->kept[p->kept_count++ % EMU_PROGRESS_ROWS];
  snprintf(text, EMU_PROGRESS_WIDTH, "%-12s ", r.policy ? r.policy : "");
  add_count(text, EMU_PROGRESS_WIDTH, (double)r.issued);
  size_t used = strlen(text);
  snprintf(text + used, EMU_PROGRESS_WIDTH - used, " issues, activity %.3f, %s", r.activity_factor,
           emu_outcome_name(r.outcome));
  return !interrupted;
}

bool emu_cli_progress_end(EmuCliProgress *p) {
  erase(p);
  if (p->listens && !interrupted)
    signal(SIGINT, SIG_DFL);
  return interrupted;
}
