/* SPDX-License-Identifier: Apache-2.0 */
/* backend_open: see backend_open.h. */
#include "run/backend_open.h"

#include "backend/backend_emu.h"
#include "backend/backend_none.h"
#include "vulkan/backend_vk.h"

static const HnBackendKind *kind_of(const HnBackendOptions *options) {
  if (options->idle)
    return &hn_backend_none;
  return options->emulated ? &hn_backend_emu : &hn_backend_vk;
}

HnOutcome hn_backend_open(const HnBackendOptions *options, const AmberScript *script,
                          HnBackend **backend, char **message) {
  return kind_of(options)->open(options, script, backend, message);
}

bool hn_backend_list(const HnBackendOptions *options, char **text) {
  return kind_of(options)->list(options, text);
}
