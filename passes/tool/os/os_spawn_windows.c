/* SPDX-License-Identifier: Apache-2.0 */
/* os_spawn_windows: see os_spawn_windows.h. A program inherits this process's standard streams, so they are
 * replaced until it has started. */
#include "passes/tool/os/os_spawn_windows.h"

#include <errno.h>
#include <fcntl.h>
#include <io.h>
#include <process.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The argument between quotes, as programs for Windows read it: \ before a quote, and before the \s that come
 * before one. The caller frees it. */
static char *quote(const char *text) {
  char *quoted = malloc(2 * strlen(text) + 3), *out = quoted;
  if (!quoted)
    return NULL;
  *out++ = '"';
  for (const char *p = text;; p++) {
    size_t slashes = strspn(p, "\\");
    p += slashes;
    for (size_t i = 0; i < (*p == '"' || !*p ? 2 * slashes : slashes); i++)
      *out++ = '\\';
    if (!*p)
      break;
    if (*p == '"')
      *out++ = '\\';
    *out++ = *p;
  }
  *out++ = '"';
  *out = 0;
  return quoted;
}

static void free_all(char **words) {
  for (char **at = words; at && *at; at++)
    free(*at);
  free(words);
}

static char **quote_all(const char *const *arguments) {
  size_t count = 0;
  while (arguments[count])
    count++;
  char **quoted = calloc(count + 1, sizeof *quoted);
  for (size_t i = 0; quoted && i < count; i++)
    if (!(quoted[i] = quote(arguments[i]))) {
      free_all(quoted);
      return NULL;
    }
  return quoted;
}

static bool replace(int standard, int stream) {
  int with = stream >= 0 ? stream : open("NUL", O_RDWR | O_BINARY);
  bool good = with >= 0 && dup2(with, standard) == 0;
  if (stream < 0 && with >= 0)
    close(with);
  return good;
}

intptr_t os_spawn(const char *const *arguments, const int streams[3]) {
  char **quoted = quote_all(arguments);
  int kept[3], error = 0;
  bool good = quoted != NULL;
  intptr_t child = -1;
  fflush(NULL);
  for (int i = 0; i < 3; i++)
    kept[i] = dup(i);
  for (int i = 0; i < 3; i++)
    good = good && replace(i, streams[i]);
  if (good)
    child = _spawnvp(_P_NOWAIT, arguments[0], (const char *const *)quoted);
  error = quoted ? errno : ENOMEM;
  for (int i = 0; i < 3; i++)
    if (kept[i] >= 0) {
      dup2(kept[i], i);
      close(kept[i]);
    }
  free_all(quoted);
  errno = error;
  return child;
}
