/* SPDX-License-Identifier: Apache-2.0 */
/* backend: see backend.h. */
#include "harness/backend/backend_kind.h"

#include <stdlib.h>

void hn_backend_run(HnBackend *backend, const HnModule *modules, HnReport *report) {
  backend->kind->run(backend, modules, report);
}

char *hn_backend_close(HnBackend *backend) {
  return backend ? backend->kind->close(backend) : NULL;
}

void hn_report_clear(HnReport *report) {
  for (size_t i = 0; i < report->buffer_count; i++)
    free(report->buffers[i].bytes);
  free(report->buffers);
  free(report->message);
  *report = (HnReport){0};
}
