/* SPDX-License-Identifier: Apache-2.0 */
/* artifact_folder: see artifact_folder.h. */
#include "harness/artifacts/artifact_folder.h"

#include "passes/tool/tool_file.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

enum { MOST_NAME = 150 };

/* Is there a kind of file system, or a service that keeps a build's files, that may refuse the
 * character? */
static bool is_refused(char c) {
  return (unsigned char)c < ' ' || strchr("/\\\"*:<>?|", c);
}

void hn_folder_add_name(FILE *out, const char *name, size_t length) {
  size_t kept = length < MOST_NAME ? length : MOST_NAME;
  bool changed = kept < length;
  for (size_t i = 0; i < kept; i++) {
    changed |= is_refused(name[i]);
    fputc(is_refused(name[i]) ? '_' : name[i], out);
  }
  if (changed)
    fprintf(out, "-%08x", XXH32(name, length, 0));
}

void hn_folder_fail(HnFolder *folder, const char *file) {
  if (folder->good)
    tool_failed(file);
  folder->good = false;
}

/* ---- listing --------------------------------------------------------------------------------- */

static int is_file(const struct dirent *entry) {
  return entry->d_name[0] != '.';
}

char **hn_folder_list(const char *path, size_t *count) {
  struct dirent **entries;
  int found = scandir(path, &entries, is_file, alphasort);
  char **names = found > 0 ? calloc((size_t)found, sizeof *names) : NULL;
  *count = 0;
  for (int i = 0; i < found; i++) {
    if (names && (names[*count] = strdup(entries[i]->d_name)))
      ++*count;
    free(entries[i]);
  }
  if (found >= 0)
    free(entries);
  return names;
}

/* ---- making ---------------------------------------------------------------------------------- */

static bool make_all(const char *path) {
  char *copy = strdup(path);
  bool good = copy;
  for (char *c = copy ? copy + 1 : NULL; good && (c = strchr(c, '/')); c++) {
    *c = 0;
    good = mkdir(copy, 0777) == 0 || errno == EEXIST;
    *c = '/';
  }
  free(copy);
  return good && (mkdir(path, 0777) == 0 || errno == EEXIST);
}

static bool has(const HnFolder *folder, const char *name) {
  char *file = hn_folder_file(folder, name);
  bool there = file && access(file, F_OK) == 0;
  free(file);
  return there;
}

/* Removes files only if an earlier run wrote a failure here. Such a folder has at least one of two
 * files: rerun.sh, or failure.json, which is written last. */
static void empty(const HnFolder *folder) {
  bool ours = has(folder, "rerun.sh") || has(folder, "failure.json");
  size_t count = 0;
  char **names = ours ? hn_folder_list(folder->path, &count) : NULL;
  for (size_t i = 0; i < count; i++) {
    char *file = hn_folder_file(folder, names[i]);
    if (file)
      unlink(file);
    free(file);
    free(names[i]);
  }
  free(names);
}

HnFolder hn_folder_make(const char *path) {
  HnFolder folder = {path, true};
  if (make_all(path))
    empty(&folder);
  else
    hn_folder_fail(&folder, path);
  return folder;
}

/* ---- files ----------------------------------------------------------------------------------- */

char *hn_folder_file(const HnFolder *folder, const char *name) {
  char *file = NULL;
  size_t size;
  FILE *out = open_memstream(&file, &size);
  if (!out)
    return NULL;
  fprintf(out, "%s/", folder->path);
  for (; *name; name++)
    fputc(is_refused(*name) ? '_' : *name, out);
  if (fclose(out) == 0)
    return file;
  free(file);
  return NULL;
}

void hn_folder_write(HnFolder *folder, const char *name, const void *bytes, size_t size) {
  char *file = hn_folder_file(folder, name);
  FILE *out = file ? fopen(file, "wb") : NULL;
  bool good = out && fwrite(bytes, 1, size, out) == size;
  if (out)
    good = fclose(out) == 0 && good;
  if (!good)
    hn_folder_fail(folder, file ? file : folder->path);
  if (!good && out) /* no file is better than a truncated one */
    unlink(file);
  free(file);
}

void hn_folder_write_text(HnFolder *folder, const char *name, char *text) {
  errno = ENOMEM;
  if (text)
    hn_folder_write(folder, name, text, strlen(text));
  else
    hn_folder_fail(folder, folder->path);
  free(text);
}
