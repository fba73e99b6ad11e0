/* SPDX-License-Identifier: Apache-2.0 */
/* os_libc_windows: see os_libc_windows.h. A stream of open_memstream is a temporary file, which is read when it is
 * closed. All files are binary: a tool's output is the same on all systems. */
#include "passes/tool/os/os_libc_windows.h"

#include <ctype.h>
#include <fcntl.h>
#include <io.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <windows.h>

#undef fclose

/* Runs before main. */
__attribute__((constructor)) static void be_binary(void) {
  _fmode = _O_BINARY;
  for (int i = 0; i < 3; i++)
    _setmode(i, _O_BINARY);
}

FILE *os_libc_temporary(void) {
  char folder[MAX_PATH + 1], path[MAX_PATH + 1];
  if (!GetTempPathA(sizeof folder, folder) || !GetTempFileNameA(folder, "spv", 0, path))
    return NULL;
  return fopen(path, "w+bTD"); /* T: kept in memory where possible, D: removed when it is closed */
}

/* ---- streams in memory ------------------------------------------------------------------------- */

typedef struct Stream {
  FILE *file;
  char **text;
  size_t *size;
  struct Stream *next;
} Stream;

static Stream *streams;
static SRWLOCK lock = SRWLOCK_INIT; /* of the list */

FILE *open_memstream(char **text, size_t *size) {
  Stream *s = malloc(sizeof *s);
  FILE *file = s ? os_libc_temporary() : NULL;
  if (!file) {
    free(s);
    return NULL;
  }
  AcquireSRWLockExclusive(&lock);
  *s = (Stream){file, text, size, streams};
  streams = s;
  ReleaseSRWLockExclusive(&lock);
  return file;
}

/* Removes the stream from the list; NULL: it is a different kind of file. */
static Stream *take(FILE *file) {
  Stream **at = &streams, *found;
  AcquireSRWLockExclusive(&lock);
  while (*at && (*at)->file != file)
    at = &(*at)->next;
  found = *at;
  if (found)
    *at = found->next;
  ReleaseSRWLockExclusive(&lock);
  return found;
}

static bool read_back(const Stream *s) {
  bool good = !ferror(s->file) && fseek(s->file, 0, SEEK_END) == 0;
  long size = good ? ftell(s->file) : -1;
  *s->text = size >= 0 ? malloc((size_t)size + 1) : NULL;
  if (!*s->text || fseek(s->file, 0, SEEK_SET) != 0 ||
      fread(*s->text, 1, (size_t)size, s->file) != (size_t)size) {
    free(*s->text);
    *s->text = NULL;
    return false;
  }
  (*s->text)[size] = 0;
  *s->size = (size_t)size;
  return true;
}

int os_libc_close(FILE *stream) {
  Stream *s = take(stream);
  bool good = !s || read_back(s);
  free(s);
  return fclose(stream) == 0 && good ? 0 : EOF;
}

/* ---- texts ------------------------------------------------------------------------------------- */

ssize_t getline(char **line, size_t *room, FILE *from) {
  size_t count = 0;
  for (int c; (c = fgetc(from)) != EOF;) {
    if (count + 2 > *room) {
      size_t more = *room < 64 ? 128 : 2 * *room;
      char *grown = realloc(*line, more);
      if (!grown)
        return -1;
      *line = grown;
      *room = more;
    }
    (*line)[count++] = (char)c;
    if (c == '\n')
      break;
  }
  if (count == 0)
    return -1;
  (*line)[count] = 0;
  return (ssize_t)count;
}

char *strndup(const char *text, size_t most) {
  size_t length = strnlen(text, most);
  char *copy = malloc(length + 1);
  if (!copy)
    return NULL;
  memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

char *strcasestr(const char *text, const char *part) {
  size_t length = strlen(part);
  for (; *text; text++)
    if (_strnicmp(text, part, length) == 0)
      return (char *)(uintptr_t)text;
  return NULL;
}

void *memmem(const void *bytes, size_t size, const void *part, size_t part_size) {
  const char *at = bytes;
  for (; size >= part_size; at++, size--)
    if (memcmp(at, part, part_size) == 0)
      return (void *)(uintptr_t)at;
  return NULL;
}
