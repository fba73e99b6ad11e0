/* backend: finds the backend that is meant; see backend.h. */
#include "backend/backend_kind.h"

#include <stdlib.h>

static const HnBackendKind *kind_of(const HnBackendOptions *options) {
  if (options->idle)
    return &hn_backend_none;
  return options->emulated ? &hn_backend_emu : &hn_backend_vk;
}

HnOutcome hn_backend_open(const HnBackendOptions *options, const AmberScript *script,
                          HnBackend **backend, char **message) {
  return kind_of(options)->open(options, script, backend, message);
}

void hn_backend_run(HnBackend *backend, const HnModule *modules, HnReport *report) {
  backend->kind->run(backend, modules, report);
}

char *hn_backend_close(HnBackend *backend) {
  return backend ? backend->kind->close(backend) : NULL;
}

bool hn_backend_list(const HnBackendOptions *options, char **text) {
  return kind_of(options)->list(options, text);
}

void hn_report_clear(HnReport *report) {
  for (size_t i = 0; i < report->buffer_count; i++)
    free(report->buffers[i].bytes);
  free(report->buffers);
  free(report->message);
  *report = (HnReport){0};
}
