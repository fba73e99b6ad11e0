/* SPDX-License-Identifier: Apache-2.0 */
/* backend_open: see backend_open.h. */
#include "harness/run/backend_open.h"

#include "harness/backend/backend_emu.h"
#include "harness/backend/backend_none.h"
#ifdef HN_HAS_OPENCL
#include "harness/opencl/backend_cl.h"
#endif
#include "harness/vulkan/backend_vk.h"

#include <string.h>

static const HnBackendKind *kind_of(const HnBackendOptions *options) {
#ifdef HN_HAS_OPENCL
  if (options->opencl)
    return &hn_backend_cl;
#endif
  if (options->idle)
    return &hn_backend_none;
  return options->emulated ? &hn_backend_emu : &hn_backend_vk;
}

HnOutcome hn_backend_open(const HnBackendOptions *options, const AmberScript *script,
                          HnBackend **backend, char **message) {
  return kind_of(options)->open(options, script, backend, message);
}

bool hn_backend_list(const HnBackendOptions *options, char **text) {
#ifndef HN_HAS_OPENCL
  if (options->opencl) {
    *text = strdup("this build lacks OpenCL, because its headers were not installed");
    return false;
  }
#endif
  return kind_of(options)->list(options, text);
}
