/* SPDX-License-Identifier: Apache-2.0 */
/* device: see device.h.
 *
 * A child process runs a range of programs, one after the other, on a device that it opens once:
 * the scripts of all programs differ in the shader alone. Verdicts are in memory that it shares
 * with this process. If the child dies, the program that was running gets the verdict, and another
 * child runs the rest of the range. */
#include "harness/converge/device.h"

#include "harness/base/message.h"
#include "harness/converge/child.h"
#include "harness/converge/converge_script.h"
#include "harness/converge/declare.h"
#include "harness/converge/glsl.h"
#include "harness/run/backend_open.h"

#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

enum { RANGE = 16, TOLD = 1 /* index of the buffer in scripts */ };

/* ---- one program, in a child ---- */

typedef struct Made {
  AmberScript *script;
  HnModule *modules;
} Made;

static void say(CvVerdict *v, CvState state, const char *why) {
  v->state = state;
  snprintf(v->why, sizeof v->why, "%s", why ? why : "out of memory");
}

static void unmake(Made *made) {
  if (made->script)
    hn_shaders_free(made->modules, made->script->shader_count);
  amber_destroy(made->script);
  *made = (Made){0};
}

static bool declare(const CvDevice *d, Made *made) {
  size_t count;
  bool declares = d->promises && !d->device->emulated; /* the emulator needs no promise */
  uint32_t *words = cv_declare(made->modules[0].words, made->modules[0].count,
                               declares ? d->mode : CV_NO_PROMISE, &count);
  if (!words)
    return false;
  free((void *)made->modules[0].words);
  made->modules[0] = (HnModule){words, count};
  return true;
}

/* The script, and its module as the device gets it. False: *why is one line, to be freed. */
static bool make(const CvDevice *d, const CvProgram *p, Made *made, char **why) {
  const CvScript wanted = {
      .program = p, .mode = d->mode, .subgroup_size = d->size, .requires_size = d->requires_size};
  AmberMessage message;
  char *text = cv_script(&wanted);
  const AmberFiles files = {0};
  *made = (Made){0};
  *why = NULL;
  AmberStatus status =
      text ? amber_parse(text, strlen(text), &files, &made->script, &message) : AMBER_BAD;
  if (text && status != AMBER_OK)
    *why = strdup(message.text);
  free(text);
  return status == AMBER_OK && hn_shaders_make(made->script, &made->modules, why) == HN_PASS &&
         declare(d, made);
}

HnBackendOptions cv_device_options(const CvDevice *d) {
  return (HnBackendOptions){.emulated = d->device->emulated ? d->size : 0,
                            .policy = d->policy,
                            .icd = d->device->icd,
                            .device_name = d->device->choice};
}

static void judge_report(const CvDevice *d, const CvProgram *p, HnReport *report, uint32_t pin,
                         CvVerdict *v) {
  static CvExpected expected;
  size_t words = cv_told_words(d->size);
  if (report->outcome == HN_SKIP) {
    say(v, CV_SKIP, report->message);
  } else if (report->outcome != HN_PASS) {
    say(v, CV_FAILS, report->message);
  } else if (!report->buffers || report->buffers[TOLD].size < words * sizeof(uint32_t)) {
    say(v, CV_FAILS, "the driver returned no buffer");
  } else {
    cv_model(p, d->mode, d->size, &expected);
    cv_judge(p, &expected, d->size, report->buffers[TOLD].bytes, pin, v);
  }
  hn_report_clear(report);
}

static void run_on(const CvDevice *d, HnBackend *backend, const CvProgram *p, const Made *made,
                   uint32_t pin, CvVerdict *v) {
  HnReport report;
  hn_backend_run(backend, made->modules, &report);
  judge_report(d, p, &report, pin, v);
}

/* Does the emulator, under policy structured, do what the model says? */
static bool is_undisputed(const CvDevice *d, const CvProgram *p, const Made *made, CvVerdict *v) {
  static const HnDevice emulator = {.name = (char *)"emu", .emulated = 1};
  CvDevice reference = *d;
  CvVerdict found = {0};
  HnBackend *backend;
  char *message;
  reference.device = &emulator;
  reference.policy = NULL;
  const HnBackendOptions options = cv_device_options(&reference);
  if (hn_backend_open(&options, made->script, &backend, &message) != HN_PASS) {
    say(v, CV_DISPUTE, message);
    free(message);
    return false;
  }
  run_on(&reference, backend, p, made, CV_NONE, &found);
  free(hn_backend_close(backend));
  if (found.state != CV_PASS) {
    *v = found;
    v->state = CV_DISPUTE;
    if (found.state == CV_WRONG) {
      char name[64];
      cv_fault_name(&found, name);
      say(v, CV_DISPUTE, name);
    }
  }
  return found.state == CV_PASS;
}

/* The first program's script stays: the device is opened for it. */
static void run_program(const CvDevice *d, const CvProgram *p, HnBackend **backend, Made *first,
                        uint32_t pin, CvVerdict *v) {
  Made made;
  char *why;
  if (!make(d, p, &made, &why)) {
    say(v, CV_DISPUTE, why);
    free(why);
    unmake(&made);
    return;
  }
  const HnBackendOptions options = cv_device_options(d);
  bool open = *backend || hn_backend_open(&options, made.script, backend, &why) == HN_PASS;
  if (!open) {
    say(v, CV_SKIP, why);
    free(why);
  } else if (is_undisputed(d, p, &made, v)) {
    run_on(d, *backend, p, &made, pin, v);
  }
  if (open && !first->script)
    *first = made;
  else
    unmake(&made);
}

static void run_range(const CvDevice *d, const CvProgram *programs, size_t from, size_t to,
                      uint32_t pin, CvVerdict *verdicts) {
  HnBackend *backend = NULL;
  Made first = {0};
  cv_child_begin();
  for (size_t i = from; i < to; i++) {
    verdicts[i].state = CV_RUNNING;
    cv_child_limit(d->timeout);
    run_program(d, &programs[i], &backend, &first, pin, &verdicts[i]);
  }
  if (backend)
    free(hn_backend_close(backend));
  unmake(&first);
}

/* ---- the children ---- */

typedef struct Child {
  pid_t pid; /* 0: free */
  size_t from, to;
} Child;

typedef struct Pool {
  const CvDevice *device;
  const CvProgram *programs;
  size_t count, next, done;
  uint32_t pin;
  CvVerdict *verdicts; /* shared */
  Child *children;
  unsigned running;
} Pool;

static bool start(Pool *pool, Child *child, size_t from, size_t to) {
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    run_range(pool->device, pool->programs, from, to, pool->pin, pool->verdicts);
    _exit(EXIT_SUCCESS);
  }
  *child = (Child){pid > 0 ? pid : 0, from, to};
  pool->running += pid > 0;
  return pid > 0;
}

/* The rest of the range, if any, gets another child. */
static bool finish(Pool *pool, Child *child, int status) {
  size_t at = child->from;
  child->pid = 0;
  pool->running--;
  while (at < child->to && pool->verdicts[at].state > CV_RUNNING)
    at++;
  pool->done += at - child->from;
  if (at == child->to)
    return true;
  char why[100];
  cv_child_died(status, pool->device->timeout, why, sizeof why);
  say(&pool->verdicts[at], CV_FAILS, why);
  pool->done++;
  return at + 1 == child->to || start(pool, child, at + 1, child->to);
}

static bool fill(Pool *pool) {
  for (unsigned i = 0; i < pool->device->jobs && pool->next < pool->count; i++) {
    size_t left = pool->count - pool->next;
    size_t share = (left + pool->device->jobs - 1) / pool->device->jobs;
    size_t range = share < RANGE ? share : RANGE;
    if (pool->children[i].pid)
      continue;
    if (!start(pool, &pool->children[i], pool->next, pool->next + range))
      return false;
    pool->next += range;
  }
  return true;
}

static bool wait_for_one(Pool *pool) {
  int status;
  pid_t pid = waitpid(-1, &status, 0);
  if (pid < 0)
    return errno == EINTR;
  for (unsigned i = 0; i < pool->device->jobs; i++)
    if (pool->children[i].pid == pid)
      return finish(pool, &pool->children[i], status);
  return true;
}

static void end_children(Pool *pool) {
  for (unsigned i = 0; i < pool->device->jobs; i++)
    if (pool->children[i].pid) {
      kill(pool->children[i].pid, SIGKILL);
      waitpid(pool->children[i].pid, NULL, 0);
    }
}

bool cv_device_run(const CvDevice *device, const CvProgram *programs, size_t count, uint32_t pin,
                   CvVerdict *verdicts, void (*done)(size_t count)) {
  size_t size = count * sizeof *verdicts;
  CvVerdict *shared = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  Pool pool = {.device = device,
               .programs = programs,
               .count = count,
               .pin = pin,
               .verdicts = shared,
               .children = calloc(device->jobs, sizeof *pool.children)};
  bool good = shared != MAP_FAILED && pool.children;
  while (good && (pool.next < count || pool.running)) {
    good = fill(&pool) && wait_for_one(&pool);
    if (done)
      done(pool.done);
  }
  if (pool.children)
    end_children(&pool);
  if (good)
    memcpy(verdicts, shared, size);
  if (shared != MAP_FAILED)
    munmap(shared, size);
  free(pool.children);
  return good;
}

/* ---- what the device is ---- */

static const CvProgram nothing = {
    .at = {{.next = CV_NONE, .kind = CV_TELL}}, .count = 1, .function_count = 1};

static bool find_size(CvDevice *d, char **message) {
  const char *text = strstr(d->device->info, "subgroup size ");
  uint32_t own = text ? (uint32_t)strtoul(text + strlen("subgroup size "), NULL, 10) : 0;
  d->requires_size = d->size && !d->device->emulated && d->size != own;
  if (!d->size)
    d->size = own;
  return cv_size_fits(d->size) ||
         hn_message_set(message, d->device->name,
                        "converge is for subgroups of 4 to 128 invocations: give --subgroup-size");
}

/* Is the device opened with the feature of the mode? In a child: a process opens one driver. */
static bool is_promised(CvDevice *d) {
  int status = 0;
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0) {
    const CvScript wanted = {
        .program = &nothing, .mode = d->mode, .subgroup_size = d->size, .declares = true};
    const HnBackendOptions options = cv_device_options(d);
    const AmberFiles files = {0};
    AmberMessage text_message;
    AmberScript *script;
    HnBackend *backend;
    char *message, *text = cv_script(&wanted);
    cv_child_begin();
    bool good = text &&
                amber_parse(text, strlen(text), &files, &script, &text_message) == AMBER_OK &&
                hn_backend_open(&options, script, &backend, &message) == HN_PASS;
    _exit(good ? EXIT_SUCCESS : EXIT_FAILURE);
  }
  return pid > 0 && waitpid(pid, &status, 0) == pid && WIFEXITED(status) &&
         WEXITSTATUS(status) == EXIT_SUCCESS;
}

static void warm(const Made *made, HnShaderTables *tables) {
  uint32_t needed[HN_SHADER_TABLES];
  uint32_t count = hn_shader_tables_needed(made->script, needed);
  for (uint32_t i = 0; i < count; i++)
    hn_shader_tables_warm(tables, needed[i]);
}

bool cv_device_open(CvDevice *device, HnShaderTables *tables, char **message) {
  Made made;
  char *why = NULL;
  if (device->policy && !device->device->emulated)
    return hn_message_set(message, device->device->name, "only device emu has a --policy");
  if (device->device->opencl || device->device->idle)
    return hn_message_set(message, device->device->name, "converge needs a Vulkan driver, or emu");
  if (!find_size(device, message))
    return false;
  device->promises = is_promised(device);
  bool good = make(device, &nothing, &made, &why);
  if (good && tables)
    warm(&made, tables);
  unmake(&made);
  if (!good)
    hn_message_set(message, device->device->name, why ? why : "out of memory");
  free(why);
  return good;
}

uint32_t *cv_device_module(const CvDevice *device, const CvProgram *program, size_t *count) {
  Made made;
  char *why;
  uint32_t *words = NULL;
  if (make(device, program, &made, &why)) {
    words = (uint32_t *)made.modules[0].words;
    *count = made.modules[0].count;
    made.modules[0] = (HnModule){NULL, 0};
  } else {
    free(why);
  }
  unmake(&made);
  return words;
}
