/* SPDX-License-Identifier: Apache-2.0 */
/* tool_json: see tool_json.h. */
#include "passes/tool/tool_json.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

json_t *tool_json_text(const char *text) {
  json_t *s = json_string(text);
  if (s)
    return s;
  char *ascii = strdup(text);
  for (char *c = ascii; c && *c; c++)
    if ((unsigned char)*c >= 128)
      *c = '?';
  s = ascii ? json_string(ascii) : json_null();
  free(ascii);
  return s;
}

json_t *tool_json_hash(uint64_t hash) {
  char text[20];
  snprintf(text, sizeof text, "%016" PRIx64, hash);
  return json_string(text);
}

void tool_json_set_count(json_t *object, const char *name, uint64_t count) {
  json_object_set_new(object, name, json_integer((json_int_t)count));
}
