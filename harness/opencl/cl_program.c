/* SPDX-License-Identifier: Apache-2.0 */
/* cl_program: see cl_program.h. The options are those of the script; the source gets the same
 * prefix as when clang compiles it (compile/compile_opencl.h). */
#include "harness/opencl/cl_program.h"

#include "passes/tool/compile/compile_opencl.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *joined_options(const AmberShader *shader) {
  char *text = NULL;
  size_t size;
  FILE *out = open_memstream(&text, &size);
  for (uint32_t i = 0; out && i < shader->option_count; i++) {
    const char *option = compile_opencl_option(shader->options[i]);
    fprintf(out, "%s%s", i ? " " : "", option ? option : "");
  }
  if (!out || fclose(out) != 0)
    return NULL;
  return text;
}

/* Skips "FOLDER/tempfile_X.cl:LINE:COLUMN: ", a place in PoCL's copy of the source, and sets *line;
 * if the text does not begin with a place, *line stays 0. */
static const char *skip_place(const char *what, unsigned *line) {
  static const char suffix[] = ".cl:";
  const char *colon = strstr(what, suffix), *end = what + strcspn(what, "\r\n");
  char *after;
  if (*what != '/' || !colon || colon > end)
    return what;
  *line = (unsigned)strtoul(colon + strlen(suffix), &after, 10);
  after += *after == ':' ? 1 + strspn(after + 1, "0123456789") : 0;
  return *after == ':' ? after + 1 + strspn(after + 1, " ") : what;
}

/* Reports the first error of the build log, or its first line. An error of the linker has its
 * reason on the next line. */
static void fail_with_log(ClDevice *device, cl_program program, const AmberShader *shader) {
  static const char linking[] = "Error(s) while linking: ";
  char log[4096] = "", place[64] = "";
  unsigned line = 0, script_line = shader->line;
  device->cl.GetProgramBuildInfo(program, device->id, CL_PROGRAM_BUILD_LOG, sizeof log - 1, log,
                                 NULL);
  const char *error = strstr(log, "error: ");
  const char *what = skip_place(error ? error + strlen("error: ") : log, &line);
  what = *what ? what : "the driver refuses it";
  size_t length = strcspn(what, "\r\n");
  const char *more = strncmp(what, linking, strlen(linking)) == 0 ? what + length : "";
  more += strspn(more, "\r\n");
  if (line && shader->source_line)
    script_line = shader->source_line + line - 1;
  else if (line)
    snprintf(place, sizeof place, "line %u of its file: ", line);
  cl_fail(device, HN_FAIL, "line %u: shader %s: %s%.*s%.*s", script_line, shader->name, place,
          (int)length, what, (int)strcspn(more, "\r\n"), more);
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
