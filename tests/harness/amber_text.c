/* SPDX-License-Identifier: Apache-2.0 */
/* amber_text: see amber_text.h. */
#include "tests/harness/amber_text.h"

#include "tests/unit/unit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static AmberStatus parse(const char *text, AmberScript **script, AmberMessage *message) {
  char *whole;
  int size = asprintf(&whole, "#!amber\n%s", text);
  assert_true(size > 0);
  AmberStatus status = amber_parse(whole, (size_t)size, NULL, script, message);
  free(whole);
  return status;
}

AmberScript *amber_text_good(const char *text) {
  AmberScript *script;
  AmberMessage message;
  if (parse(text, &script, &message) != AMBER_OK)
    fail_msg("refused: %s\n%s", message.text, text);
  return script;
}

void amber_text_refused(AmberStatus status, const char *text, const char *want) {
  AmberScript *script;
  AmberMessage message;
  AmberStatus actual = parse(text, &script, &message);
  assert_null(script);
  if (actual != status || !strstr(message.text, want) || strchr(message.text, '\n'))
    fail_msg("status %d, message '%s', wanted %d '%s' for:\n%s", actual, message.text, status, want,
             text);
}

char *amber_text_file(const char *path, size_t *size) {
  FILE *file = fopen(path, "rb");
  char *text = NULL;
  size_t room = 0;
  if (!file)
    return NULL;
  ssize_t length = getdelim(&text, &room, -1, file);
  fclose(file);
  *size = length > 0 ? (size_t)length : 0;
  return text;
}
