/* SPDX-License-Identifier: Apache-2.0 */
/* app_case: see app_case.h. */
#include "tests/layer/app_case.h"

#include "tests/layer/folders.h"
#include "tests/unit/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

enum { CHILD_SECONDS = 120, UNCHECKED_SECONDS = 20 };
static const rlim_t unchecked_bytes = (rlim_t)8 << 30;

void app_use_layer(bool used) {
  setenv("VK_LAYER_PATH", LAYER_PATH ":/usr/share/vulkan/explicit_layer.d", 1);
  if (used)
    setenv("VK_INSTANCE_LAYERS", "VK_LAYER_SPVRECONV_pipeline", 1);
  else
    unsetenv("VK_INSTANCE_LAYERS");
}

/* ---- the child ---- */

static HnVulkan *opened;
static PFN_vkCreateShaderModule real_create;

/* For a module that the validation layer refuses, the behaviour of drivers is undefined
 * (SwiftShader allocates all memory), so no pipeline is created from it. */
static VkResult VKAPI_CALL create_valid(VkDevice device, const VkShaderModuleCreateInfo *info,
                                        const VkAllocationCallbacks *allocator,
                                        VkShaderModule *module) {
  VkResult result = real_create(device, info, allocator, module);
  if (result != VK_SUCCESS || opened->device.messages.count == 0)
    return result;
  opened->device.vk.DestroyShaderModule(device, *module, allocator);
  *module = VK_NULL_HANDLE;
  return VK_ERROR_VALIDATION_FAILED_EXT;
}

static void refuse_invalid(HnVulkan *vulkan) {
  opened = vulkan;
  real_create = vulkan->device.vk.CreateShaderModule;
  vulkan->device.vk.CreateShaderModule = create_valid;
}

static void write_report(FILE *out, const HnReport *report, const char *closing) {
  char *text = closing ? vk_case_outcome(HN_FAIL, closing)
                       : vk_case_outcome(report->outcome, report->message);
  fprintf(out, "%s%c", text, 0);
  for (size_t i = 0; i < report->buffer_count; i++)
    if (report->buffers[i].bytes)
      fwrite(report->buffers[i].bytes, 1, report->buffers[i].size, out);
  free(text);
}

static void run_case(const AppRun *run, FILE *out) {
  HnBackendOptions options = {.icd = run->driver->icd, .validation = !run->unchecked};
  HnBackend *backend;
  char *message;
  HnReport report = {0};
  report.outcome = hn_backend_open(&options, run->test->script, &backend, &message);
  if (!backend) {
    report.message = message;
    write_report(out, &report, NULL);
    return;
  }
  if (!run->unchecked)
    refuse_invalid((HnVulkan *)backend);
  if (run->change)
    run->change((HnVulkan *)backend);
  hn_backend_run(backend, run->test->modules, &report);
  char *closing = hn_backend_close(backend);
  write_report(out, &report, closing);
  free(closing);
  hn_report_clear(&report);
}

static void limit(const AppRun *run) {
  const struct rlimit memory = {unchecked_bytes, unchecked_bytes};
  alarm(run->unchecked ? UNCHECKED_SECONDS : CHILD_SECONDS);
  if (run->unchecked)
    setrlimit(RLIMIT_AS, &memory);
}

static void child(const AppRun *run, const char *answer, const char *said) {
  limit(run);
  int fd = open(said, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
  dup2(fd, STDERR_FILENO);
  folder_clear_environment();
  app_use_layer(run->transform);
  if (run->transform)
    setenv("SPVRECONV_TRANSFORM", run->transform, 1);
  if (run->dump)
    setenv("SPVRECONV_DUMP", run->dump, 1);
  FILE *out = fopen(answer, "w");
  run_case(run, out);
  fclose(out);
  _exit(0);
}

/* ---- the parent ---- */

static void read_answer(const char *path, AppAnswer *answer) {
  FILE *in = fopen(path, "r");
  size_t room = 0;
  if (!in || getdelim(&answer->outcome, &room, 0, in) < 0)
    fail_msg("no answer in %s", path);
  FILE *rest = open_memstream(&answer->bytes, &answer->size);
  for (int c; (c = fgetc(in)) != EOF;)
    fputc(c, rest);
  fclose(rest);
  fclose(in);
}

AppAnswer app_run(const AppRun *run) {
  char *folder = folder_new();
  char *file = folder_file(folder, "answer"), *said = folder_file(folder, "said");
  fflush(NULL);
  pid_t pid = fork();
  if (pid == 0)
    child(run, file, said);
  int status;
  assert_int_equal(waitpid(pid, &status, 0), pid);
  AppAnswer answer = {.said = folder_text(said)};
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0)
    read_answer(file, &answer);
  else
    answer.outcome = strdup("crash");
  free(folder);
  free(file);
  free(said);
  return answer;
}

void app_answer_free(AppAnswer *answer) {
  free(answer->outcome);
  free(answer->said);
  free(answer->bytes);
  *answer = (AppAnswer){0};
}
