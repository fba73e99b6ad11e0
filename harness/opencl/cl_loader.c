/* SPDX-License-Identifier: Apache-2.0 */
/* cl_loader: see cl_loader.h. */
#include "harness/opencl/cl_loader.h"

#include <dlfcn.h>
#include <stdio.h>

static bool fail(char **message, const char *what, const char *why) {
  if (asprintf(message, "%s%s", what, why) < 0)
    *message = NULL;
  return false;
}

bool cl_loader_open(ClFuncs *cl, void **library, char **message) {
  *library = dlopen("libOpenCL.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!*library)
    return fail(message, "cannot load the OpenCL loader: ", dlerror());
#define X(name)                                                                                    \
  *(void **)&cl->name = dlsym(*library, "cl" #name);                                               \
  if (!cl->name)                                                                                   \
    return fail(message, "the OpenCL loader has no cl", #name);
  CL_FUNCTIONS(X)
#undef X
  return true;
}

void cl_loader_close(void *library) {
  if (library)
    dlclose(library);
}
