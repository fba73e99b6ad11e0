/* SPDX-License-Identifier: Apache-2.0 */
/* backend_cl: see backend_cl.h and backend.h. The modules of a run are only read for the kernels'
 * parameters and the size of their workgroups. The buffers are kept in host memory; each dispatch
 * copies its kernel's buffers to the device, and back. */
#include "harness/opencl/backend_cl.h"

#include "harness/opencl/cl_arguments.h"
#include "harness/opencl/cl_program.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct HnOpencl {
  HnBackend head;
  ClDevice device;
  const AmberScript *script;
  uint8_t **buffers;    /* by index in script->buffers */
  cl_program *programs; /* by index in script->shaders; NULL: not built yet */
} HnOpencl;

/* ---- open, close, list ----------------------------------------------------------------------- */

static char *close_opencl(HnBackend *backend) {
  HnOpencl *o = (HnOpencl *)backend;
  for (uint32_t i = 0; o->programs && i < o->script->shader_count; i++)
    if (o->programs[i])
      o->device.cl.ReleaseProgram(o->programs[i]);
  for (uint32_t i = 0; o->buffers && i < o->script->buffer_count; i++)
    free(o->buffers[i]);
  free(o->programs);
  free(o->buffers);
  cl_device_close(&o->device);
  free(o);
  return NULL;
}

static bool allocate(HnOpencl *o) {
  const AmberScript *script = o->script;
  o->buffers = calloc(script->buffer_count + 1u, sizeof *o->buffers);
  o->programs = calloc(script->shader_count + 1u, sizeof *o->programs);
  bool good = o->buffers && o->programs;
  for (uint32_t i = 0; good && i < script->buffer_count; i++)
    good = (o->buffers[i] = malloc(script->buffers[i].size + 1)) != NULL;
  return good || cl_fail(&o->device, HN_FAIL, "out of memory");
}

/* Every shader in use must be OpenCL C. */
static bool check(HnOpencl *o) {
  const AmberScript *script = o->script;
  for (uint32_t i = 0; i < script->pipeline_count; i++)
    for (uint32_t k = 0; k < script->pipelines[i].shader_count; k++) {
      const AmberShader *shader = &script->shaders[script->pipelines[i].shaders[k].shader];
      if (shader->format != AMBER_OPENCL_C)
        return cl_fail(&o->device, HN_SKIP, "line %u: shader %s is not OPENCL-C", shader->line,
                       shader->name);
    }
  return true;
}

static HnOutcome open_opencl(const HnBackendOptions *options, const AmberScript *script,
                             HnBackend **backend, char **message) {
  HnOpencl *o = calloc(1, sizeof *o);
  *message = NULL;
  *backend = NULL;
  if (!o)
    return HN_FAIL;
  o->head.kind = &hn_backend_cl;
  o->script = script;
  if (cl_device_open(&o->device, options->opencl) && check(o) && allocate(o)) {
    *backend = &o->head;
    return HN_PASS;
  }
  HnOutcome outcome = o->device.outcome;
  *message = o->device.message;
  o->device.message = NULL;
  close_opencl(&o->head);
  return outcome;
}

static bool list_opencl(const HnBackendOptions *options, char **text) {
  ClDevice device;
  bool good = cl_device_open(&device, options->opencl);
  char *name = good ? cl_device_text(&device, CL_DEVICE_NAME) : NULL;
  char *version = good ? cl_device_text(&device, CL_DEVICE_VERSION) : NULL;
  *text = NULL;
  if (good && name && version && asprintf(text, "%s, %s\n", name, version) < 0)
    *text = NULL;
  if (!good) {
    *text = device.message;
    device.message = NULL;
  }
  free(name);
  free(version);
  cl_device_close(&device);
  return good && *text;
}

/* ---- one dispatch ---------------------------------------------------------------------------- */

static cl_program program_of(HnOpencl *o, uint32_t shader) {
  if (!o->programs[shader])
    o->programs[shader] = cl_program_build(&o->device, &o->script->shaders[shader]);
  return o->programs[shader];
}

static bool enqueue(HnOpencl *o, const AmberCommand *command, const HnKernel *reflected,
                    cl_kernel kernel) {
  const AmberPipeline *pipeline = &o->script->pipelines[command->pipeline];
  const ClFuncs *cl = &o->device.cl;
  const uint32_t groups[3] = {command->run.x, command->run.y, command->run.z};
  uint32_t size[3];
  size_t global[3], local[3];
  hn_kernel_size(pipeline, reflected, size);
  for (int i = 0; i < 3; i++) {
    local[i] = size[i];
    global[i] = (size_t)size[i] * groups[i];
  }
  if (!groups[0] || !groups[1] || !groups[2])
    return true;
  ClArguments arguments;
  bool good = cl_arguments_set(&o->device, o->script, pipeline, reflected, o->buffers, kernel,
                               &arguments) &&
              cl_good(&o->device,
                      cl->EnqueueNDRangeKernel(o->device.queue, kernel, 3, NULL, global, local, 0,
                                               NULL, NULL),
                      "clEnqueueNDRangeKernel") &&
              cl_good(&o->device, cl->Finish(o->device.queue), "clFinish") &&
              cl_arguments_read(&o->device, o->script, &arguments, o->buffers);
  cl_arguments_free(&o->device, &arguments);
  return good;
}

static bool dispatch(HnOpencl *o, const AmberCommand *command, const HnModule *modules) {
  const AmberAttachedShader *shader = &o->script->pipelines[command->pipeline].shaders[0];
  const ClFuncs *cl = &o->device.cl;
  cl_program program = program_of(o, shader->shader);
  HnKernel reflected;
  cl_int status;
  if (!program)
    return false;
  if (!hn_kernel_read(modules[shader->shader], shader->entry_point, &reflected))
    return cl_fail(&o->device, HN_FAIL, "out of memory");
  cl_kernel kernel = cl->CreateKernel(program, shader->entry_point, &status);
  bool good =
      cl_good(&o->device, status, "clCreateKernel") && enqueue(o, command, &reflected, kernel);
  if (kernel)
    cl->ReleaseKernel(kernel);
  hn_kernel_clear(&reflected);
  return good;
}

/* ---- one run --------------------------------------------------------------------------------- */

static void reset(HnOpencl *o) {
  for (uint32_t i = 0; i < o->script->buffer_count; i++)
    if (o->script->buffers[i].size)
      memcpy(o->buffers[i], o->script->buffers[i].bytes, o->script->buffers[i].size);
}

static bool expect(HnOpencl *o, const AmberCommand *command) {
  AmberContents *contents = calloc(o->script->buffer_count + 1u, sizeof *contents);
  char text[512];
  if (!contents)
    return cl_fail(&o->device, HN_FAIL, "out of memory");
  for (uint32_t i = 0; i < o->script->buffer_count; i++)
    contents[i] = (AmberContents){o->buffers[i], o->script->buffers[i].size};
  bool met = amber_expect_check(o->script, command, contents, text, sizeof text);
  free(contents);
  return met || cl_fail(&o->device, HN_FAIL, "%s", text);
}

/* An EXPECT that fails does not end the run. */
static bool run_commands(HnOpencl *o, const HnModule *modules) {
  AmberWalk walk;
  bool go_on = true;
  amber_walk_start(&walk, o->script);
  for (const AmberCommand *command; go_on && (command = amber_walk_next(&walk));) {
    if (command->kind == AMBER_RUN_COMPUTE)
      go_on = dispatch(o, command, modules);
    else if (command->kind == AMBER_COPY)
      memmove(o->buffers[command->copy.to], o->buffers[command->copy.from],
              o->script->buffers[command->copy.to].size);
    else if (command->kind == AMBER_EXPECT)
      expect(o, command);
    else
      go_on = cl_fail(&o->device, HN_SKIP, "line %u: OpenCL has no graphics", command->line);
  }
  return go_on;
}

static bool hand_over(HnOpencl *o, HnReport *report) {
  uint32_t count = o->script->buffer_count;
  report->buffers = calloc(count + 1u, sizeof *report->buffers);
  report->buffer_count = count;
  bool good = report->buffers;
  for (uint32_t i = 0; good && i < count; i++) {
    size_t size = o->script->buffers[i].size;
    if (!o->script->buffers[i].uses)
      continue;
    report->buffers[i] = (HnContents){malloc(size + 1), size};
    good = report->buffers[i].bytes;
    if (good)
      memcpy(report->buffers[i].bytes, o->buffers[i], size);
  }
  return good || cl_fail(&o->device, HN_FAIL, "out of memory");
}

static void run_opencl(HnBackend *backend, const HnModule *modules, HnReport *report) {
  HnOpencl *o = (HnOpencl *)backend;
  *report = (HnReport){.outcome = HN_PASS};
  free(o->device.message);
  o->device.outcome = HN_PASS;
  o->device.message = NULL;
  reset(o);
  if (run_commands(o, modules))
    hand_over(o, report);
  report->outcome = o->device.outcome;
  report->message = o->device.message;
  o->device.message = NULL;
}

const HnBackendKind hn_backend_cl = {open_opencl, run_opencl, close_opencl, list_opencl};
