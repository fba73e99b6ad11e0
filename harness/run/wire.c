/* SPDX-License-Identifier: Apache-2.0 */
/* wire: see wire.h. */
#include "harness/run/wire.h"

#include <errno.h>
#include <limits.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { HEAD = offsetof(HnWire, text) };

_Static_assert(sizeof(HnWire) <= PIPE_BUF, "a record fits an atomic write");

bool hn_wire_write(int fd, const HnWire *record) {
  size_t size = HEAD + record->text_size;
  ssize_t n;
  do
    n = write(fd, record, size);
  while (n < 0 && errno == EINTR);
  return n == (ssize_t)size;
}

bool hn_wire_fill(HnWireReader *reader, int fd) {
  ssize_t n;
  do
    n = read(fd, reader->bytes + reader->count, sizeof reader->bytes - reader->count);
  while (n < 0 && errno == EINTR);
  reader->count += n > 0 ? (size_t)n : 0;
  return n > 0;
}

bool hn_wire_take(HnWireReader *reader, HnWire *record) {
  if (reader->count < HEAD)
    return false;
  memcpy(record, reader->bytes, HEAD);
  size_t size = HEAD + record->text_size;
  if (record->text_size > HN_WIRE_TEXT || reader->count < size)
    return false;
  memcpy(record->text, reader->bytes + HEAD, record->text_size);
  reader->count -= size;
  memmove(reader->bytes, reader->bytes + size, reader->count);
  return true;
}

HnWire hn_wire_result(HnWireKind kind, uint32_t variant, const HnResult *result) {
  HnWire record = {.kind = kind,
                   .variant = variant,
                   .outcome = result->outcome,
                   .gpu_ns = result->gpu_ns,
                   .wall_us = result->wall_us,
                   .case_hash = result->case_hash,
                   .module_hash = result->module_hash};
  size_t size = result->message ? strlen(result->message) : 0;
  record.text_size = (uint32_t)(size < HN_WIRE_TEXT ? size : HN_WIRE_TEXT);
  if (size)
    memcpy(record.text, result->message, record.text_size);
  return record;
}

HnResult hn_wire_to_result(const HnWire *record) {
  return (HnResult){.outcome = (HnOutcome)record->outcome,
                    .message = record->text_size ? strndup(record->text, record->text_size) : NULL,
                    .gpu_ns = record->gpu_ns,
                    .wall_us = record->wall_us,
                    .case_hash = record->case_hash,
                    .module_hash = record->module_hash,
                    .recorded = record->kind == HN_WIRE_RECORDED};
}
