/* SPDX-License-Identifier: Apache-2.0 */
/* convert: see convert.h.
 *
 * The library itself checks control flow, dominance and phis of its output. SPIRV-Tools'
 * validator runs only with SPVRECONV_VALIDATE=1, because an application is waiting, and the
 * validator takes time quadratic in the nesting, has no time or memory limits, and ends the process
 * if it runs out of memory. */
#include "harness/layer/convert.h"

#include "harness/layer/budget.h"
#include "harness/layer/cache.h"
#include "harness/layer/key.h"
#include "harness/layer/layer_stats.h"
#include "harness/layer/settings.h"
#include "passes/base/clock.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include <spvreconv/spvreconv.h>

struct LyConverter {
  atomic_uint shares;
  bool off; /* the settings are invalid, or this application is not chosen */
  LySettings settings;
  LyLog log;
  LyFolder cache, dump;
  LyMadeBy made_by;
};

/* ---- settings ---- */

/* Identifies the build by the library's file. The build is part of the cache's key, since two
 * builds of one version may differ. */
static void identify_build(struct stat *build) {
  static const char anchor;
  Dl_info info;
  memset(build, 0, sizeof *build);
  if (dladdr(&anchor, &info) && info.dli_fname)
    stat(info.dli_fname, build);
}

static LyMadeBy made_by(const LySettings *settings) {
  struct stat build;
  identify_build(&build);
  return (LyMadeBy){
      .transform = ly_hash(settings->transform, strlen(settings->transform)),
      .version = ly_hash(SPVRECONV_VERSION, strlen(SPVRECONV_VERSION)),
      .build_size = build.st_size,
      .build_s = build.st_mtim.tv_sec,
      .build_ns = build.st_mtim.tv_nsec,
      .validate = settings->validate,
      .check = settings->check,
  };
}

static spvreconv_options make_options(const LyConverter *converter, LyBudget *budget) {
  spvreconv_options options;
  spvreconv_options_init(&options, sizeof options);
  options.transform = converter->settings.transform;
  options.target_env = "vulkan1.3"; /* the newest environment; the driver decides what it accepts */
  options.validate =
      converter->settings.validate ? SPVRECONV_VALIDATE_AUTO : SPVRECONV_VALIDATE_NONE;
  options.want = converter->settings.check ? SPVRECONV_WANT_CHECK : 0;
  options.resize = ly_budget_resize;
  options.resize_user = budget;
  return options;
}

/* Options are checked before the module, so an empty module is enough. */
static void check_settings(LyConverter *converter) {
  LyBudget budget = ly_budget_new(converter->settings.bytes, converter->settings.seconds);
  spvreconv_options options = make_options(converter, &budget);
  spvreconv_result *result;
  if (spvreconv_run(&options, NULL, 0, &result) == SPVRECONV_BAD_OPTION) {
    converter->off = true;
    ly_log(&converter->log, LY_ERROR, "SPVRECONV_TRANSFORM: %s; no module is changed",
           spvreconv_result_message(result));
  }
  spvreconv_result_destroy(result);
}

static void tell_settings(const LyConverter *converter) {
  ly_log(&converter->log, LY_INFO, "version %s, transforms %s%s%s", SPVRECONV_VERSION,
         converter->settings.transform, converter->settings.check ? ", checked" : "",
         converter->settings.validate ? ", validated" : "");
}

LyConverter *ly_converter_new(const char *application) {
  LyConverter *converter = calloc(1, sizeof *converter);
  if (!converter)
    return NULL;
  LySettings *settings = &converter->settings;
  atomic_init(&converter->shares, 1);
  converter->log = ly_settings_log();
  if (!ly_settings_read(settings, application, &converter->log)) {
    ly_settings_clear(settings);
    ly_log_close(&converter->log);
    free(converter);
    return NULL;
  }
  converter->off = !settings->chosen;
  ly_folder_open(&converter->cache, "SPVRECONV_CACHE", settings->cache, &converter->log);
  ly_folder_open(&converter->dump, "SPVRECONV_DUMP", settings->dump, &converter->log);
  converter->made_by = made_by(settings);
  check_settings(converter);
  if (!converter->off)
    tell_settings(converter);
  return converter;
}

LyConverter *ly_converter_share(LyConverter *converter) {
  if (converter)
    atomic_fetch_add(&converter->shares, 1);
  return converter;
}

void ly_converter_release(LyConverter *converter) {
  if (!converter || atomic_fetch_sub(&converter->shares, 1) > 1)
    return;
  ly_folder_close(&converter->cache);
  ly_folder_close(&converter->dump);
  ly_log_close(&converter->log);
  ly_settings_clear(&converter->settings);
  free(converter);
}

void ly_converter_complain(const LyConverter *converter, const char *what) {
  if (converter)
    ly_log(&converter->log, LY_ERROR, "%s", what);
}

bool ly_converter_bounds_loops(const LyConverter *converter) {
  static const char name[] = "bound-loops";
  if (!converter || converter->off)
    return false;
  for (const char *at = converter->settings.transform; *at; at += strspn(at, ",")) {
    size_t length = strcspn(at, ",:");
    if (length == strlen(name) && !strncmp(at, name, length))
      return true;
    at += strcspn(at, ",");
  }
  return false;
}

const char *ly_converter_refuses_records(const LyConverter *converter) {
  return converter->settings.check ? "SPVRECONV_CHECK=1 accepts no code that is added for them"
                                   : NULL;
}

const LyLog *ly_converter_log(const LyConverter *converter) {
  return &converter->log;
}

/* ---- one module ---- */

/* A module, and where the records of its loops are. */
typedef struct Module {
  LyHash hash;
  LyRunaways *runaways; /* or NULL */
} Module;

static uint64_t record_loop(void *user, const spvreconv_bounded *loop) {
  const Module *module = user;
  return ly_runaways_address(module->runaways, module->hash, loop);
}

static LyResult failed(LyReason reason, const char *message) {
  char *text = strdup(message);
  return (LyResult){.kind = LY_FAILED,
                    .reason = reason,
                    .message = text ? text : "out of memory",
                    .memory = text};
}

/* Transforms may undo each other, as strip-merges and structurize often do. Then nothing has
 * changed. */
static LyResult compare(const spvreconv_result *result, const uint32_t *code, size_t code_count) {
  size_t count;
  const uint32_t *words = spvreconv_result_words(result, &count);
  if (count == code_count && memcmp(words, code, count * sizeof *words) == 0)
    return (LyResult){.kind = LY_SAME};
  uint32_t *copy = malloc(count * sizeof *copy);
  if (!copy)
    return failed(LY_EXHAUSTED, "out of memory");
  memcpy(copy, words, count * sizeof *copy);
  return (LyResult){.kind = LY_CHANGED,
                    .repaired = spvreconv_result_repair(result, 0),
                    .words = copy,
                    .bytes = count * sizeof *copy,
                    .memory = copy};
}

static LyResult judge(const spvreconv_result *result, const LyBudget *budget, const uint32_t *code,
                      size_t count) {
  spvreconv_status status = spvreconv_result_status(result);
  if (status == SPVRECONV_OUT_OF_MEMORY)
    return budget->refused ? failed(budget->reason, budget->refused)
                           : failed(LY_EXHAUSTED, "out of memory");
  if (status != SPVRECONV_OK)
    return failed(status == SPVRECONV_BUG ? LY_REJECTED : LY_INVALID,
                  spvreconv_result_message(result));
  if (!spvreconv_result_changed(result))
    return (LyResult){.kind = LY_SAME};
  if (spvreconv_result_needs_structure(result))
    return failed(LY_UNSTRUCTURED, "its control flow is not structured, as Vulkan requires, after "
                                   "the transforms: let the list end in structurize");
  return compare(result, code, count);
}

/* Transforms the module. *lasting: another run would give the same result. */
static LyResult run(const LyConverter *converter, Module module, const uint32_t *words,
                    size_t count, bool *lasting) {
  LyBudget budget = ly_budget_new(converter->settings.bytes, converter->settings.seconds);
  spvreconv_options options = make_options(converter, &budget);
  options.bounded = module.runaways ? record_loop : NULL;
  options.bounded_user = &module;
  spvreconv_result *run = NULL;
  spvreconv_status status = spvreconv_run(&options, words, count, &run);
  LyResult result = judge(run, &budget, words, count);
  *lasting =
      status != SPVRECONV_OUT_OF_MEMORY && (status != SPVRECONV_OK || result.kind != LY_FAILED);
  spvreconv_result_destroy(run);
  return result;
}

static LyResult load_or_run(LyConverter *converter, Module module, const uint32_t *code,
                            size_t bytes, bool *loaded) {
  LyHash key = ly_key(module.hash, &converter->made_by);
  LyResult result;
  *loaded = !module.runaways && ly_cache_load(&converter->cache, key, bytes, &result);
  if (*loaded)
    return result;
  bool lasting;
  result = run(converter, module, code, bytes / sizeof *code, &lasting);
  if (lasting && !module.runaways)
    ly_cache_store(&converter->cache, key, &result);
  return result;
}

/* Writes HASH.before.spv and HASH.after.spv, named by the hash of the application's module. */
static void dump(LyConverter *converter, LyHash module, const char *which, const void *bytes,
                 size_t size) {
  char hash[LY_HASH_TEXT], name[LY_HASH_TEXT + sizeof ".before.spv"];
  ly_hash_print(module, hash);
  snprintf(name, sizeof name, "%s.%s.spv", hash, which);
  struct iovec part = {(void *)(uintptr_t)bytes, size};
  ly_folder_put(&converter->dump, name, &part, 1);
}

/* Logs the line of a module. */
static void tell(const LyConverter *converter, LyHash module, size_t bytes, const LyResult *result,
                 bool loaded, double seconds) {
  char name[LY_HASH_TEXT];
  ly_hash_print(module, name);
  const char *from = loaded ? ", from the cache" : "";
  const LyLog *log = &converter->log;
  if (result->kind == LY_FAILED)
    ly_log(log, LY_ERROR, "module %s: %s; the original is used", name, result->message);
  else if (result->kind == LY_CHANGED)
    ly_log(log, LY_INFO, "module %s: changed, %zu words to %zu, %.2f ms%s%s", name,
           bytes / sizeof(uint32_t), result->bytes / sizeof(uint32_t), seconds * 1e3, from,
           result->repaired ? ", repaired" : "");
  else
    ly_log(log, LY_DEBUG, "module %s: unchanged, %zu words, %.2f ms%s", name,
           bytes / sizeof(uint32_t), seconds * 1e3, from);
}

static void dump_both(LyConverter *converter, LyHash module, const uint32_t *code, size_t bytes,
                      const LyResult *result) {
  if (converter->dump.fd < 0)
    return;
  if (result->kind == LY_CHANGED)
    dump(converter, module, "after", result->words, result->bytes);
  else if (result->kind == LY_SAME)
    dump(converter, module, "after", code, bytes);
}

static void convert(LyConverter *converter, Module module, const uint32_t *code, size_t bytes,
                    LyResult *result) {
  double start = sr_now();
  bool loaded;
  if (converter->dump.fd >= 0)
    dump(converter, module.hash, "before", code, bytes);
  *result = load_or_run(converter, module, code, bytes, &loaded);
  double seconds = sr_now() - start;
  ly_stats_count(result, loaded, seconds);
  tell(converter, module.hash, bytes, result, loaded, seconds);
  dump_both(converter, module.hash, code, bytes, result);
}

static void leave_out(const LyConverter *converter, LyHash module) {
  char name[LY_HASH_TEXT];
  ly_hash_print(module, name);
  ly_stats_count_left_out();
  ly_log(&converter->log, LY_DEBUG, "module %s: left out", name);
}

bool ly_convert(LyConverter *converter, LyRunaways *runaways, const uint32_t *code, size_t bytes,
                LyResult *result) {
  *result = (LyResult){0};
  if (!converter || !code || bytes == 0 || bytes % sizeof *code)
    return false;
  const Module module = {ly_hash(code, bytes), runaways};
  if (converter->off || !ly_select_has(&converter->settings.only, module.hash)) {
    leave_out(converter, module.hash);
    return false;
  }
  convert(converter, module, code, bytes, result);
  if (result->kind == LY_CHANGED)
    return true;
  ly_result_clear(result);
  return false;
}
