/* SPDX-License-Identifier: Apache-2.0 */
/* fit_times: see fit_times.h. The loops run in one process, which opens the device once; before
 * each run the bounds in the script's buffer are replaced. Of several runs the shortest counts. A
 * device with the extension VK_KHR_shader_clock counts cycles, any other that has timestamps ns. */
#include "harness/fit/fit_times.h"

#include "harness/converge/child.h"
#include "harness/run/backend_open.h"
#include "spv-emu/cases/amber_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* Indices of buffers; words of the first one before the bounds; runs of each loop; how long a
 * dispatch should be, and how often it may repeat a loop. */
enum { BOUNDS, RESULT, HEAD = 1, RUNS = 5, ENOUGH_NS = 400000, MOST_REPEATS = 1 << 18 };

typedef struct Loop {
  AmberScript *script;
  HnModule *modules;
  HnBackend *backend;
  uint32_t size;
  bool clock;
} Loop;

/* ---- the program ---- */

static const char glsl_loop[] =
    "layout(set = 0, binding = 0) readonly buffer Bounds { uint repeats; uint bounds[]; };\n"
    "layout(set = 0, binding = 1) buffer Result { uint cycles; uint result[]; };\n"
    "void main() {\n"
    "  uint bound = bounds[gl_LocalInvocationID.x], x = bound;\n"
    "  uint before = now();\n"
    "  for (uint r = 0u; r < repeats; r++) {\n"
    "    [[dont_unroll]] for (uint k = 0u; k < bound; k++)\n"
    "      x = x * 5u + k;\n"
    "    x ^= r;\n"
    "  }\n"
    "  result[gl_LocalInvocationID.x] = x;\n"
    "  if (gl_LocalInvocationID.x == 0u)\n"
    "    cycles = now() - before;\n"
    "}\n";

static char *loop_text(uint32_t size, bool clock) {
  char *text = NULL;
  size_t length;
  FILE *out = open_memstream(&text, &length);
  if (!out)
    return NULL;
  fprintf(out,
          "#!amber\n"
          "%sSHADER compute program GLSL TARGET_ENV spv1.3\n"
          "#version 450\n"
          "#extension GL_EXT_control_flow_attributes : require\n"
          "%slayout(local_size_x = %u) in;\n"
          "#define now() %s\n",
          clock ? "DEVICE_FEATURE ShaderClockFeatures.shaderSubgroupClock\n" : "",
          clock ? "#extension GL_ARB_shader_clock : require\n" : "", size,
          clock ? "clock2x32ARB().x" : "0u");
  fputs(glsl_loop, out);
  fprintf(out,
          "END\n"
          "BUFFER bounds DATA_TYPE uint32 SIZE %u FILL 0\n"
          "BUFFER result DATA_TYPE uint32 SIZE %u FILL 0\n"
          "PIPELINE compute p\n"
          "  ATTACH program\n"
          "  BIND BUFFER bounds AS storage DESCRIPTOR_SET 0 BINDING 0\n"
          "  BIND BUFFER result AS storage DESCRIPTOR_SET 0 BINDING 1\n"
          "END\n"
          "RUN p 1 1 1\n",
          size + HEAD, size + HEAD);
  if (fclose(out) != 0) {
    free(text);
    text = NULL;
  }
  return text;
}

static bool make(Loop *l, char why[160]) {
  const AmberFiles files = {0};
  AmberMessage said;
  char *message = NULL, *text = loop_text(l->size, l->clock);
  snprintf(why, 160, "out of memory");
  bool good = text && amber_parse(text, strlen(text), &files, &l->script, &said) == AMBER_OK &&
              hn_shaders_make(l->script, &l->modules, &message) == HN_PASS;
  if (message)
    snprintf(why, 160, "%s", message);
  free(message);
  free(text);
  return good;
}

static void clear(Loop *l) {
  if (l->script)
    hn_shaders_free(l->modules, l->script->shader_count);
  amber_destroy(l->script);
  *l = (Loop){.size = l->size};
}

/* The last m lanes leave one by one: the first of them an iteration before those with the longest
 * bound. */
static void set_bounds(Loop *l, uint32_t m, uint32_t repeats) {
  uint32_t *words = (uint32_t *)l->script->buffers[BOUNDS].bytes;
  words[0] = repeats;
  for (uint32_t lane = 0; lane < l->size; lane++) {
    uint32_t stay = l->size - m;
    words[HEAD + lane] = lane < stay ? l->size : l->size - 1 - (lane - stay);
  }
}

/* ---- device emu ---- */

static void measure_emulator(Loop *l, const char *name, FtTimes *t) {
  HnPolicy policy = {.policy = "structured"};
  if (name && !hn_policy_find(name, &policy))
    policy.policy = name; /* the emulator refuses it */
  const EmuAmberOptions options = {.subgroup_size = l->size, .transform = policy.transform};
  spv_emu_cost cost;
  EmuAmber *amber = NULL;
  char message[512];
  spv_emu_cost_find("kepler", &cost);
  const spv_emu_run_options how = {.policy = policy.policy,
                                   .choices = policy.choices,
                                   .choice_count = policy.choice_count,
                                   .cost = &cost};
  bool good = make(l, t->why) && emu_amber_open(l->script, l->modules, &options, &amber, message,
                                                sizeof message) == SPV_EMU_OK;
  t->unit = "cycles";
  for (uint32_t m = 0; good && m < l->size; m++) {
    EmuRow row;
    set_bounds(l, m, 1);
    good = emu_amber_run(amber, &how, &row, message, sizeof message) == SPV_EMU_OK;
    spv_emu_result total = emu_row_total(&row);
    snprintf(t->why, sizeof t->why, "%.150s", good ? total.message : message);
    good = good && total.outcome == SPV_EMU_RAN;
    t->at[m] = (double)total.cycles;
    emu_row_free(&row);
  }
  t->measured = good;
  if (amber)
    emu_amber_close(amber);
}

/* ---- a device ---- */

/* The time of the dispatch; 0: it failed, or there is no clock. */
static double run(Loop *l, uint32_t m, uint32_t repeats, bool by_clock, char why[160]) {
  HnReport report;
  set_bounds(l, m, repeats);
  hn_backend_run(l->backend, l->modules, &report);
  double time = (double)report.gpu_ns;
  snprintf(why, 160, "%s", "the device has no timestamps");
  if (report.outcome != HN_PASS) {
    time = 0;
    snprintf(why, 160, "%s", report.message ? report.message : "out of memory");
  } else if (by_clock && report.buffers[RESULT].bytes) {
    time = *(const uint32_t *)report.buffers[RESULT].bytes;
  }
  hn_report_clear(&report);
  return time;
}

/* How often a loop should run in a dispatch; 0: there is no time. */
static uint32_t find_repeats(Loop *l, char why[160]) {
  uint32_t repeats = 16;
  for (;;) {
    double ns = run(l, 0, repeats, false, why);
    if (ns == 0)
      return 0;
    if (ns >= ENOUGH_NS || repeats >= MOST_REPEATS)
      return repeats;
    repeats *= 4;
  }
}

static bool measure(Loop *l, FtTimes *t) {
  uint32_t repeats = find_repeats(l, t->why);
  t->unit = l->clock ? "cycles" : "ns";
  for (uint32_t i = 0; repeats && i < RUNS; i++)
    for (uint32_t m = 0; m < l->size; m++) {
      double time = run(l, m, repeats, l->clock, t->why) / repeats;
      if (time == 0)
        return false;
      if (!i || time < t->at[m])
        t->at[m] = time;
    }
  return repeats;
}

/* A device without the clock gives time stamps. */
static bool open_loop(Loop *l, const HnBackendOptions *options, char why[160]) {
  for (int clock = 1; clock >= 0; clock--) {
    char *message = NULL;
    l->clock = clock;
    if (!make(l, why))
      return false;
    if (hn_backend_open(options, l->script, &l->backend, &message) == HN_PASS)
      return true;
    snprintf(why, 160, "%s", message ? message : "out of memory");
    free(message);
    clear(l);
  }
  return false;
}

static void measure_child(const CvDevice *device, FtTimes *t) {
  const HnBackendOptions options = cv_device_options(device);
  Loop loop = {.size = device->size};
  cv_child_begin();
  cv_child_limit(device->timeout);
  t->measured = open_loop(&loop, &options, t->why) && measure(&loop, t);
}

static void measure_device(const CvDevice *device, FtTimes *times) {
  int status = 0;
  FtTimes *shared =
      mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  bool mapped = shared != MAP_FAILED;
  fflush(NULL);
  pid_t pid = mapped ? fork() : -1;
  if (pid == 0) {
    measure_child(device, shared);
    _exit(EXIT_SUCCESS);
  }
  if (pid > 0 && waitpid(pid, &status, 0) == pid) {
    *times = *shared;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != EXIT_SUCCESS) {
      times->measured = false;
      cv_child_died(status, device->timeout, times->why, sizeof times->why);
    }
  }
  if (mapped)
    munmap(shared, sizeof *shared);
}

void ft_times_measure(const CvDevice *device, FtTimes *times) {
  *times = (FtTimes){.why = "out of memory, or no process can be started"};
  Loop loop = {.size = device->size};
  if (device->device->emulated)
    measure_emulator(&loop, device->policy, times);
  else
    measure_device(device, times);
  clear(&loop);
  times->count = device->size;
  if (times->measured)
    times->line = ft_line(times->at, times->count);
}
