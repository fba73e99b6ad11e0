/* SPDX-License-Identifier: Apache-2.0 */
/* cl_program: see cl_program.h. The options are those of the script; the source gets the same
 * prefix as where clang compiles it (compile/compile_opencl.h). */
#include "opencl/cl_program.h"

#include "compile/compile_opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *joined_options(const AmberShader *shader) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  for (uint32_t i = 0; out && i < shader->option_count; i++)
    fprintf(out, "%s%s", i ? " " : "", shader->options[i]);
  if (!out || fclose(out) != 0)
    return NULL;
  return text;
}

/* The first error of the build log, or its first line. */
static void fail_with_log(ClDevice *device, cl_program program, const AmberShader *shader) {
  char log[4096] = "";
  device->cl.GetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log,
                                 NULL);
  const char *error = strstr(log, "error: ");
  const char *what = error ? error + strlen("error: ") : log;
  cl_fail(device, HN_FAIL, "line %u: shader %s: %.*s", shader->line, shader->name,
          (int)strcspn(what, "\r\n"), *what ? what : "the driver refuses it");
}

cl_program cl_program_build(ClDevice *device, const AmberShader *shader) {
  const char *texts[] = {COMPILE_OPENCL_PREFIX, shader->source};
  const size_t sizes[] = {strlen(COMPILE_OPENCL_PREFIX), shader->source_size};
  cl_int status;
  cl_program program =
      device->cl.CreateProgramWithSource(device->context, 2, texts, sizes, &status);
  if (!cl_good(device, status, "clCreateProgramWithSource"))
    return NULL;
  char *options = joined_options(shader);
  status = options ? device->cl.BuildProgram(program, 1, &device->id, options, NULL, NULL)
                   : CL_OUT_OF_HOST_MEMORY;
  free(options);
  if (status == CL_SUCCESS)
    return program;
  if (status == CL_BUILD_PROGRAM_FAILURE)
    fail_with_log(device, program, shader);
  else
    cl_good(device, status, "clBuildProgram");
  device->cl.ReleaseProgram(program);
  return NULL;
}
