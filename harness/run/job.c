/* SPDX-License-Identifier: Apache-2.0 */
/* job: see job.h. A result is written when the next variant begins; the last result when the device
 * is closed, because a message of the validation layer about closing makes that result a failure,
 * whatever its outcome. */
#include "harness/run/job.h"
#include "harness/artifacts/expects.h"
#include "harness/backend/compare.h"
#include "harness/backend/reflect.h"
#include "harness/run/backend_open.h"
#include "harness/run/bare.h"
#include "harness/run/wire.h"
#include "harness/shader/case_file.h"
#include "harness/shader/kernel_lower.h"
#include "harness/shader/shader.h"
#include "harness/shader/variant.h"
#include "passes/base/clock.h"
#include "passes/tool/compile/compile_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <xxhash.h>

typedef struct Job {
  const HnJob *given;
  int fd;
  XXH3_state_t *hash; /* hash of all files read so far */
  uint64_t case_hash;
  AmberScript *parsed;       /* owned; NULL: the case is a bare module */
  const AmberScript *script; /* `parsed`, or the script of bare modules */
  HnModule *modules;         /* untransformed */
  AmberScript *lowered;      /* of kernels: the script of the shaders that they become; owned; NULL:
                                not made yet */
  HnBackend *backend;
  const AmberScript *opened; /* the script for which the device was opened */
  HnVariant *made;           /* by variant, up to the current one */
  HnReport reference;        /* report of variant reference_of, with the contents that others are
                            compared with */
  uint32_t reference_of;     /* AMBER_NONE: none yet */
  HnResult pending;          /* result of variant pending_of, which has not been written yet */
  uint32_t pending_of;
  double began; /* seconds */
  bool gone;    /* the device is lost, so the remaining variants need another process */
} Job;

__attribute__((format(printf, 1, 2))) static char *text(const char *format, ...) {
  char *out;
  va_list arguments;
  va_start(arguments, format);
  if (vasprintf(&out, format, arguments) < 0)
    out = NULL;
  va_end(arguments);
  return out;
}

/* ---- files ---- */

/* Adds the bytes of a file to the hash of the case. */
static void hash_file(Job *job, const uint8_t *bytes, uint64_t length) {
  XXH3_64bits_update(job->hash, &length, sizeof length);
  XXH3_64bits_update(job->hash, bytes, length);
}

static bool read_file(Job *job, const char *path, size_t limit, uint8_t **bytes, size_t *size) {
  bool good = compile_file_read(path, limit, bytes, size);
  if (good)
    hash_file(job, *bytes, *size);
  return good;
}

static bool read_beside(void *user, const char *path, size_t limit, uint8_t **bytes, size_t *size) {
  Job *job = user;
  char *full = compile_file_beside(job->given->path, path);
  bool good = full && read_file(job, full, limit, bytes, size);
  free(full);
  return good;
}

static bool map_beside(void *user, const char *path, size_t limit, uint8_t **bytes, size_t *size) {
  Job *job = user;
  char *full = compile_file_beside(job->given->path, path);
  bool good = full && compile_file_map(full, limit, bytes, size);
  free(full);
  if (good)
    hash_file(job, *bytes, *size);
  return good;
}

/* ---- results ---- */

static void flush_pending(Job *job);

/* ---- artifacts ---- */

/* What a variant's contents differ from. */
typedef struct Contrast {
  const char *name; /* name of a variant or a device; NULL: an EXPECT failed, or nothing is known */
  bool is_device;
  const HnReport *report; /* what the run of `name` reported */
  const HnReport *actual; /* NULL: not known */
} Contrast;

/* The contents that an EXPECT in the middle of the script saw: runs the commands before `end` and
 * returns what this run reports. */
static HnReport run_until(Job *job, uint32_t variant, uint32_t end) {
  HnReport report;
  uint32_t all = job->parsed->command_count;
  job->parsed->command_count = end;
  hn_backend_run(job->backend, job->made[variant].modules, &report);
  job->parsed->command_count = all;
  return report;
}

/* Writes what is known about a failure. */
static void preserve(Job *job, uint32_t variant, const HnResult *result, const Contrast *contrast) {
  const HnJob *given = job->given;
  const char *name = given->variants[variant];
  if (!given->artifacts || hn_outcome_count(result->outcome, name) != HN_COUNT_FAILED ||
      hn_job_has_artifacts(given, variant))
    return;
  HnFailure failure = {.path = given->path,
                       .device = given->device,
                       .variant = name,
                       .result = result,
                       .reference = contrast->name,
                       .is_device = contrast->is_device,
                       .script = job->modules ? job->script : NULL,
                       .before = job->modules,
                       .after = job->made ? job->made[variant].modules : NULL,
                       .actual = contrast->actual ? contrast->actual->buffers : NULL,
                       .expected = contrast->report ? contrast->report->buffers : NULL,
                       .log = STDERR_FILENO};
  HnReport early = {0};
  uint32_t end;
  if (failure.actual && !failure.expected &&
      hn_expects_find(job->script, result->message, &failure.first_expect, &end)) {
    failure.expect_count = end - failure.first_expect;
    if (end < job->script->command_count) {
      early = run_until(job, variant, end);
      failure.actual = early.buffers;
    }
  }
  fflush(NULL);
  hn_artifacts_write(given->artifacts, &failure);
  hn_report_clear(&early);
}

/* ---- writing results ---- */

static void flush_pending(Job *job) {
  if (job->pending_of == AMBER_NONE)
    return;
  HnWire record = hn_wire_result(HN_WIRE_RESULT, job->pending_of, &job->pending);
  free(job->pending.message);
  job->pending_of = AMBER_NONE;
  if (!hn_wire_write(job->fd, &record))
    _exit(1); /* the parent has closed the pipe */
}

/* Takes over `message`. */
static void conclude(Job *job, uint32_t variant, HnOutcome outcome, char *message) {
  flush_pending(job);
  job->pending = (HnResult){.outcome = outcome,
                            .message = message,
                            .case_hash = job->case_hash,
                            .module_hash = job->made ? job->made[variant].hash : 0,
                            .wall_us = (uint64_t)(1e6 * (sr_now() - job->began))};
  job->pending_of = variant;
}

/* The result of a variant that did not run. */
static HnResult result_of(HnOutcome outcome, char *message) {
  return (HnResult){.outcome = outcome, .message = message};
}

/* Concludes all variants that have not run yet. A case that cannot be read fails once, not once for
 * each variant. */
static void conclude_all(Job *job, HnOutcome outcome, char *message) {
  const HnJob *given = job->given;
  const HnResult result = result_of(outcome, message);
  preserve(job, given->first, &result, &(Contrast){0});
  for (uint32_t v = given->first; v < given->variant_count; v++) {
    bool again = outcome == HN_FAIL && v > given->first;
    conclude(job, v, again ? HN_SAME : outcome,
             again     ? text("it fails as %s does", given->variants[given->first])
             : message ? strdup(message)
                       : NULL);
  }
  flush_pending(job);
  free(message);
}

/* Drops the output of earlier variants. */
static void start(Job *job, uint32_t variant) {
  flush_pending(job);
  if (ftruncate(STDERR_FILENO, 0) == 0)
    lseek(STDERR_FILENO, 0, SEEK_SET);
  job->began = sr_now();
  HnWire record = {.kind = HN_WIRE_START, .variant = variant};
  if (!hn_wire_write(job->fd, &record))
    _exit(1);
}

/* ---- before the first variant ---- */

/* With --check and no device, are the modules as written compared with nothing? */
static bool compares_nothing(const HnJob *given, uint32_t variant) {
  return given->check && given->backend.idle && strcmp(given->variants[variant], "none") == 0;
}

static bool find_recorded(const Job *job, uint32_t variant, HnResult *result) {
  const HnJob *given = job->given;
  const HnOutcomeKey key = {job->case_hash, given->setup_hash, given->variants[variant]};
  return hn_recorded_find(given->records, &key, result);
}

/* Writes the results of all variants, if all are recorded. A child that continues a case where
 * another died does not check. */
static bool take_recorded(Job *job) {
  HnResult result;
  bool all = job->given->records && job->given->first == 0;
  for (uint32_t v = 0; all && v < job->given->variant_count; v++)
    if ((all = find_recorded(job, v, &result))) {
      /* otherwise the failure was recorded for another device */
      all = v || result.outcome != HN_SAME || compares_nothing(job->given, v);
      free(result.message);
    }
  for (uint32_t v = 0; all && v < job->given->variant_count; v++) {
    find_recorded(job, v, &result);
    HnWire record = hn_wire_result(HN_WIRE_RECORDED, v, &result);
    free(result.message);
    if (!hn_wire_write(job->fd, &record))
      _exit(1);
  }
  return all;
}

static bool parse_script(Job *job, const uint8_t *bytes, size_t size) {
  AmberMessage message;
  const AmberFiles files = {
      .read = read_beside, .user = job, .map = map_beside, .unmap = compile_file_unmap};
  AmberStatus status = amber_parse((const char *)bytes, size, &files, &job->parsed, &message);
  job->script = job->parsed;
  job->case_hash = XXH3_64bits_digest(job->hash);
  if (take_recorded(job))
    return false;
  if (status != AMBER_OK)
    conclude_all(job, status == AMBER_BAD ? HN_FAIL : HN_SKIP, strdup(message.text));
  return status == AMBER_OK;
}

static bool read_bare(Job *job, const uint8_t *bytes, size_t size) {
  char *message;
  job->script = &hn_bare_script;
  job->case_hash = XXH3_64bits_digest(job->hash);
  if (take_recorded(job))
    return false;
  if (!job->given->backend.idle) {
    conclude_all(job, HN_SKIP,
                 text("a module without a case: 'spv-harness new' makes one for it; --device=none "
                      "only transforms and validates it"));
    return false;
  }
  if (hn_bare_make(bytes, size, &job->modules, &message))
    return true;
  conclude_all(job, HN_FAIL, message);
  return false;
}

static bool make_modules(Job *job) {
  if (job->modules)
    return true;
  uint32_t tables[HN_SHADER_TABLES];
  uint32_t count = hn_shader_tables_needed(job->script, tables);
  for (uint32_t i = 0; i < count; i++) {
    HnWire record = {.kind = HN_WIRE_WARM, .table = tables[i]};
    if (!hn_wire_write(job->fd, &record))
      _exit(1);
  }
  char *message;
  HnOutcome outcome = hn_shaders_make(job->script, &job->modules, &message);
  if (outcome == HN_PASS && !hn_pipelines_check(job->script, job->modules, &message))
    outcome = HN_FAIL;
  if (outcome != HN_PASS)
    conclude_all(job, outcome, message);
  return outcome == HN_PASS;
}

static bool parse_text(Job *job, const char *made) {
  size_t size = strlen(made);
  XXH3_64bits_update(job->hash, made, size);
  return parse_script(job, (const uint8_t *)made, size) && make_modules(job);
}

/* Reads the case, and translates its shaders. False: all variants are concluded. */
static bool read_case(Job *job) {
  uint8_t *bytes;
  size_t size;
  if (job->given->text)
    return parse_text(job, job->given->text);
  if (!read_file(job, job->given->path, HN_FILE_MOST, &bytes, &size)) {
    conclude_all(job, HN_FAIL, text("cannot be read: %s", strerror(errno)));
    return false;
  }
  bool more =
      hn_bare_is(bytes, size) ? read_bare(job, bytes, size) : parse_script(job, bytes, size);
  free(bytes);
  return more && make_modules(job);
}

/* ---- the variants ---- */

/* The earlier variant with the same modules, or AMBER_NONE. */
static uint32_t equal_variant(const Job *job, uint32_t variant) {
  for (uint32_t v = 0; v < variant; v++)
    if (job->made[v].hash == job->made[variant].hash)
      return v;
  return AMBER_NONE;
}

/* Does the device take only shaders, so that kernels become shaders first? */
static bool takes_shaders(const Job *job) {
  const HnBackendOptions *device = &job->given->backend;
  return !device->emulated && !device->opencl && !device->idle;
}

/* The variant's transforms; the caller frees the text. */
static char *list_of(const Job *job, uint32_t variant) {
  const char *name = job->given->variants[variant];
  bool lowers = takes_shaders(job) && amber_has_kernels(job->script);
  return lowers ? hn_kernel_lower_list(name) : strdup(name);
}

/* Is the variant one of shaders that were made from the script's kernels? */
static bool is_lowered(const Job *job, uint32_t variant) {
  const HnVariant *made = &job->made[variant];
  bool any = false;
  for (uint32_t i = 0;
       amber_has_kernels(job->script) && made->modules && i < job->script->shader_count; i++)
    any = any || (made->modules[i].count && hn_kernel_lower_is(made->modules[i]));
  return any;
}

/* The script that the variant's modules fit; NULL: *message says why there is none. */
static const AmberScript *script_of(Job *job, uint32_t variant, char **message) {
  if (!is_lowered(job, variant))
    return job->script;
  if (!job->lowered)
    job->lowered = hn_kernel_lower(job->script, job->modules, job->made[variant].modules, message);
  return job->lowered;
}

/* Opens the device at the first variant that runs, and again for one with another script. */
static bool open_device(Job *job, uint32_t variant, HnOutcome *outcome, char **message) {
  const AmberScript *script = script_of(job, variant, message);
  *outcome = HN_FAIL;
  if (!script)
    return false;
  if (job->backend && job->opened == script)
    return true;
  if (job->backend)
    free(hn_backend_close(job->backend));
  job->backend = NULL;
  job->opened = script;
  *outcome = hn_backend_open(&job->given->backend, script, &job->backend, message);
  return *outcome == HN_PASS;
}

/* A case without EXPECTs passes if it ends. Its message says so. */
static void note_unexpected(const Job *job, HnReport *report) {
  bool expects = report->outcome != HN_PASS || report->message || job->given->backend.idle;
  for (uint32_t i = 0; !expects && i < job->script->command_count; i++)
    expects = job->script->commands[i].kind == AMBER_EXPECT;
  if (!expects)
    report->message = text("not compared: the case has no EXPECT");
}

/* If a case passes, its message says what the validator did not know. */
static void note_unvalidated(const HnVariant *made, HnReport *report) {
  if (report->outcome != HN_PASS || !made->message)
    return;
  char *before = report->message;
  report->message = before ? text("%s; %s", before, made->message) : text("%s", made->message);
  free(before);
}

/* The first variant that finishes is the reference for the others. `other` takes over the contents
 * of another device that differs. */
static void judge(Job *job, uint32_t variant, HnReport *report, Contrast *contrast,
                  HnReport *other) {
  bool ended = report->outcome == HN_PASS || report->outcome == HN_FAIL;
  if (job->reference_of == AMBER_NONE && !job->given->against.name)
    note_unexpected(job, report);
  if (ended && report->buffers && job->reference_of == AMBER_NONE) {
    if (job->given->against.name && report->outcome == HN_PASS)
      hn_against(&job->given->against, job->script, job->modules,
                 is_lowered(job, variant) ? job->made[variant].modules : job->modules, job->backend,
                 report, other);
    if (other->buffers)
      *contrast = (Contrast){job->given->against.name, true, other, NULL};
    job->reference_of = variant;
    job->reference = *report;
    contrast->actual = &job->reference;
    report->buffers = NULL;
    report->buffer_count = 0;
    job->reference.message = NULL;
    return;
  }
  char *difference;
  contrast->actual = report->buffers ? report : NULL;
  if (report->outcome != HN_PASS || !report->buffers ||
      hn_compare(job->script, report, &job->reference, job->given->variants[job->reference_of],
                 &difference))
    return;
  free(report->message);
  report->outcome = HN_FAIL;
  report->message = difference;
  contrast->name = job->given->variants[job->reference_of];
  contrast->report = &job->reference;
}

static void run(Job *job, uint32_t variant, bool silent) {
  HnOutcome outcome;
  char *message = NULL;
  if (!open_device(job, variant, &outcome, &message)) {
    conclude(job, variant, outcome, message);
    return;
  }
  HnReport report, other = {0};
  Contrast contrast = {0};
  hn_backend_run(job->backend, job->made[variant].modules, &report);
  job->gone = report.outcome == HN_CRASH || report.outcome == HN_TIMEOUT;
  judge(job, variant, &report, &contrast, &other);
  note_unvalidated(&job->made[variant], &report);
  if (silent && job->gone)
    conclude(
        job, job->given->first, report.outcome,
        text("%s, run again to compare with: %s", job->given->variants[variant], report.message));
  if (!silent) {
    const HnResult result = result_of(report.outcome, report.message);
    preserve(job, variant, &result, &contrast);
    conclude(job, variant, report.outcome, report.message);
    job->pending.gpu_ns = report.gpu_ns;
    report.message = NULL;
  }
  hn_report_clear(&report);
  hn_report_clear(&other);
}

static void run_variant(Job *job, uint32_t variant) {
  const HnJob *given = job->given;
  HnVariant *made = &job->made[variant];
  bool again = variant < given->first;
  if (!again)
    start(job, variant);
  char *list = list_of(job, variant);
  *made = hn_variant_make(job->script, job->modules, list ? list : given->variants[variant],
                          given->check);
  free(list);
  if (again) {
    if (variant == given->reference && made->outcome == HN_PASS)
      run(job, variant, true);
    return;
  }
  if (given->backend.opencl && strcmp(given->variants[variant], "none") != 0) {
    conclude(job, variant, HN_SKIP, text("the driver compiles the OpenCL C, not the module"));
    return;
  }
  uint32_t equal = made->modules ? equal_variant(job, variant) : AMBER_NONE;
  if (made->outcome != HN_PASS) {
    const HnResult result = result_of(made->outcome, made->message);
    preserve(job, variant, &result, &(Contrast){0});
    conclude(job, variant, made->outcome, made->message ? strdup(made->message) : NULL);
  } else if (compares_nothing(given, variant)) {
    conclude(job, variant, HN_SAME,
             text("not compared: the modules are the case's, and nothing is run"));
  } else if (equal != AMBER_NONE) {
    conclude(job, variant, HN_SAME, text("the modules are those of %s", given->variants[equal]));
  } else {
    run(job, variant, false);
  }
}

static void close_device(Job *job) {
  char *closing = job->backend ? hn_backend_close(job->backend) : NULL;
  HnResult *last = &job->pending;
  bool failed =
      job->pending_of != AMBER_NONE &&
      hn_outcome_count(last->outcome, job->given->variants[job->pending_of]) == HN_COUNT_FAILED;
  if (closing && job->pending_of != AMBER_NONE) {
    char *before = last->message;
    last->message = before ? text("%s; closing the device: %s", before, closing)
                           : text("closing the device: %s", closing);
    free(before);
    if (last->outcome != HN_CRASH && last->outcome != HN_TIMEOUT)
      last->outcome = HN_FAIL;
    if (!failed) /* otherwise the artifacts have been written */
      preserve(job, job->pending_of, last, &(Contrast){0});
  }
  free(closing);
}

static void run_variants(Job *job) {
  uint32_t count = job->given->variant_count;
  job->made = calloc(count, sizeof *job->made);
  if (!job->made) {
    conclude_all(job, HN_FAIL, text("out of memory"));
    return;
  }
  for (uint32_t v = 0; v < count && !job->gone; v++)
    run_variant(job, v);
  close_device(job);
  flush_pending(job);
  hn_report_clear(&job->reference);
  for (uint32_t v = 0; v < count; v++)
    hn_variant_free(&job->made[v], job->script);
  free(job->made);
}

static Job open_job(const HnJob *given, int fd) {
  Job job = {.given = given,
             .fd = fd,
             .hash = XXH3_createState(),
             .reference_of = AMBER_NONE,
             .pending_of = AMBER_NONE,
             .began = sr_now()};
  XXH3_64bits_reset(job.hash);
  return job;
}

static void close_job(Job *job) {
  if (job->script)
    hn_shaders_free(job->modules, job->script->shader_count);
  hn_kernel_lower_free(job->lowered);
  amber_destroy(job->parsed);
  XXH3_freeState(job->hash);
}

bool hn_job_has_artifacts(const HnJob *given, uint32_t variant) {
  const HnResult *earlier = given->earlier ? &given->earlier[variant] : NULL;
  return earlier &&
         (earlier->outcome == HN_FLAKE ||
          hn_outcome_count(earlier->outcome, given->variants[variant]) == HN_COUNT_FAILED);
}

void hn_job_run(const HnJob *given, int fd) {
  Job job = open_job(given, fd);
  if (read_case(&job))
    run_variants(&job);
  close_job(&job);
}

/* Writes what is known so far before each step, because the step may be the one that ended the
 * other child. */
void hn_job_autopsy(const HnJob *given, const HnResult *result, int log) {
  HnJob quiet = *given;
  if (hn_job_has_artifacts(given, given->first))
    return;
  quiet.artifacts = NULL;
  Job job = open_job(&quiet, open("/dev/null", O_WRONLY | O_CLOEXEC));
  HnFailure failure = {.path = given->path,
                       .device = given->device,
                       .variant = given->variants[given->first],
                       .result = result,
                       .log = log};
  hn_artifacts_write(given->artifacts, &failure);
  if (read_case(&job)) {
    failure.script = job.script;
    failure.before = job.modules;
    hn_artifacts_write(given->artifacts, &failure);
    HnVariant made = hn_variant_make(job.script, job.modules, failure.variant, false);
    failure.after = made.modules;
    hn_artifacts_write(given->artifacts, &failure);
    hn_variant_free(&made, job.script);
  }
  close_job(&job);
}
