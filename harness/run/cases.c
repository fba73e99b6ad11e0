/* SPDX-License-Identifier: Apache-2.0 */
/* cases: see cases.h. */
#include "harness/run/cases.h"

#include "harness/base/message.h"
#include "passes/tool/tool_file.h"
#include "passes/tool/tool_folder.h"

#include <errno.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <xxhash.h>

typedef struct Found {
  char *path, *real; /* the path as it was found, and its realpath */
} Found;

typedef struct Finder {
  Found *found;
  size_t count, room;
  const HnCaseOptions *options;
  ToolLeftOut *left_out;
  size_t modules; /* number of modules, which are no cases */
  char **message;
} Finder;

/* The pattern may match the whole path, or what follows one of its slashes. */
static bool matches(const char *filter, const char *path) {
  if (!filter || fnmatch(filter, path, 0) == 0)
    return true;
  for (const char *p = path; (p = strchr(p, '/')); p++)
    if (fnmatch(filter, p + 1, 0) == 0)
      return true;
  return false;
}

static const char *nothing(const HnCaseOptions *options) {
  return options->filter ? "no case matches the filter" : "there is no case";
}

/* ---- files and folders ---- */

static bool add(Finder *f, const char *path) {
  if (!matches(f->options->filter, path))
    return true;
  if (f->count == f->room) {
    size_t room = f->room ? 2 * f->room : 64;
    Found *found = realloc(f->found, room * sizeof *found);
    if (!found)
      return hn_message_set(f->message, path, "out of memory");
    f->found = found;
    f->room = room;
  }
  Found *found = &f->found[f->count++];
  *found = (Found){strdup(path), realpath(path, NULL)};
  return (found->path && found->real) || hn_message_set(f->message, path, strerror(errno));
}

static bool is_case(const Finder *f, const char *name) {
  return tool_has_suffix(name, ".amber") ||
         (f->options->modules &&
          (tool_has_suffix(name, ".spv") || tool_has_suffix(name, ".spvasm")));
}

/* Is there a case next to a shader, SHADER.amber or SHADER.comp.amber? */
static bool has_case(const char *path) {
  static const char tail[] = ".amber";
  char *name = malloc(strlen(path) + sizeof tail);
  if (!name)
    return false;
  strcat(strcpy(name, path), tail);
  bool has = access(name, F_OK) == 0;
  char *ending = strrchr(strcpy(name, path), '.');
  if (ending)
    strcpy(ending, tail);
  has = has || access(name, F_OK) == 0;
  free(name);
  return has;
}

static bool add_below(void *finder, const char *path, const char *below) {
  (void)below;
  Finder *f = finder;
  if (is_case(f, path))
    return add(f, path);
  if (!matches(f->options->filter, path))
    return true;
  if (!has_case(path))
    tool_left_out_add(f->left_out, path);
  f->modules += tool_has_suffix(path, ".spv") || tool_has_suffix(path, ".spvasm");
  return true;
}

static bool fail_folder(void *finder, const char *path) {
  Finder *f = finder;
  return hn_message_set(f->message, path, strerror(errno));
}

static bool add_given(Finder *f, const char *given) {
  struct stat st;
  if (stat(given, &st) != 0)
    return hn_message_set(f->message, given, strerror(errno));
  if (!S_ISDIR(st.st_mode))
    return add(f, given);
  char *path = strdup(given);
  if (!path)
    return hn_message_set(f->message, given, "out of memory");
  for (size_t n = strlen(path); n > 1 && path[n - 1] == '/'; n--)
    path[n - 1] = 0;
  const ToolFolderVisitor visitor = {add_below, NULL, fail_folder, f};
  bool good = tool_folder_visit(path, &visitor);
  free(path);
  return good;
}

static int by_path(const void *a, const void *b) {
  const Found *x = a, *y = b;
  return strcmp(x->path, y->path);
}

static int by_real_path(const void *a, const void *b) {
  const Found *x = a, *y = b;
  int order = strcmp(x->real, y->real);
  return order ? order : strcmp(x->path, y->path);
}

/* Appends the path, and takes it over unless memory runs out. The room of `paths` is a power of
 * two. */
static bool append(HnCases *cases, char *path) {
  if ((cases->count & (cases->count - 1)) == 0) {
    size_t room = cases->count ? 2 * cases->count : 1;
    char **paths = realloc(cases->paths, room * sizeof *paths);
    if (!paths)
      return false;
    cases->paths = paths;
  }
  cases->paths[cases->count++] = path;
  return path != NULL;
}

/* Each shard gets one case of each round of N cases, where N is the number of shards. A hash of the
 * round rotates the shards, so that no shard gets all cases of one kind if the kinds alternate. */
static bool is_of_shard(const HnCaseOptions *options, size_t index) {
  const uint64_t round = index / options->shards;
  uint64_t first = XXH3_64bits(&round, sizeof round) % options->shards;
  return (index + first) % options->shards == options->shard - 1;
}

/* Keeps each file once, however many paths lead to it. */
static size_t drop_copies(Finder *f) {
  size_t kept = 0;
  if (f->count)
    qsort(f->found, f->count, sizeof *f->found, by_real_path);
  for (size_t i = 0; i < f->count; i++)
    if (kept == 0 || strcmp(f->found[i].real, f->found[kept - 1].real) != 0) {
      Found first = f->found[i];
      f->found[i] = f->found[kept];
      f->found[kept++] = first;
    }
  return kept;
}

static bool keep(Finder *f, HnCases *cases) {
  size_t count = drop_copies(f);
  if (count)
    qsort(f->found, count, sizeof *f->found, by_path);
  for (size_t i = 0; i < count; i++) {
    if (!is_of_shard(f->options, i))
      continue;
    if (!append(cases, f->found[i].path))
      return hn_message_set(f->message, "cases", "out of memory");
    f->found[i].path = NULL;
  }
  return true;
}

static void forget(Finder *f) {
  for (size_t i = 0; i < f->count; i++) {
    free(f->found[i].path);
    free(f->found[i].real);
  }
  free(f->found);
}

static bool fail_empty(Finder *f, const char *given) {
  char text[600], count[32];
  const char *like = f->left_out->like;
  int n = snprintf(text, sizeof text, "%s", nothing(f->options));
  if (like)
    snprintf(text + n, sizeof text - (size_t)n, ", but %s: name those to run, as in %s",
             tool_left_out_count(f->left_out, count), like);
  else if (f->modules)
    snprintf(
        text + n, sizeof text - (size_t)n,
        ", but %zu module%s: --device=none only transforms and validates them, and spv-harness "
        "new makes a case of one",
        f->modules, f->modules == 1 ? "" : "s");
  return hn_message_set(f->message, given, text);
}

bool hn_cases_find(char *const *given, int count, const HnCaseOptions *options, HnCases *cases,
                   char **message) {
  Finder f = {.options = options, .left_out = &cases->left_out, .message = message};
  bool good = true;
  for (int i = 0; good && i < count; i++)
    good = add_given(&f, given[i]);
  good = good && keep(&f, cases);
  if (good && f.count == 0 && count)
    good = fail_empty(&f, given[0]);
  forget(&f);
  return good;
}

/* ---- lists ---- */

static bool read_list(FILE *file, const HnCaseOptions *options, HnCases *cases, size_t *count) {
  char *line = NULL;
  size_t room = 0;
  *count = 0;
  bool good = true;
  while (good && getline(&line, &room, file) > 0) {
    line[strcspn(line, "\n")] = 0;
    if (!*line || !matches(options->filter, line) || !is_of_shard(options, (*count)++))
      continue;
    char *path = strdup(line);
    good = append(cases, path);
    if (!good)
      free(path);
  }
  free(line);
  return good;
}

bool hn_cases_list(const char *list, const HnCaseOptions *options, HnCases *cases, char **message) {
  bool is_input = strcmp(list, "-") == 0;
  FILE *file = is_input ? stdin : fopen(list, "r");
  if (!file)
    return hn_message_set(message, list, strerror(errno));
  size_t count;
  errno = 0;
  bool good =
      read_list(file, options, cases, &count) || hn_message_set(message, list, "out of memory");
  if (good && ferror(file))
    good = hn_message_set(message, list, strerror(errno));
  else if (good && count == 0)
    good = hn_message_set(message, list, nothing(options));
  if (!is_input)
    fclose(file);
  return good;
}

/* ---- repeats ---- */

static int by_text(const void *a, const void *b) {
  char *const *x = *(char *const *const *)a, *const *y = *(char *const *const *)b;
  int order = strcmp(*x, *y);
  return order ? order : (x > y) - (x < y);
}

bool hn_cases_once(HnCases *cases) {
  char ***sorted = calloc(cases->count + 1, sizeof *sorted); /* sorted by the text of the paths */
  size_t kept = 0;
  if (!sorted)
    return false;
  for (size_t i = 0; i < cases->count; i++)
    sorted[i] = &cases->paths[i];
  qsort(sorted, cases->count, sizeof *sorted, by_text);
  for (size_t i = 0, first = 0; i < cases->count; i++)
    if (i > first && strcmp(*sorted[i], *sorted[first]) == 0) {
      free(*sorted[i]);
      *sorted[i] = NULL;
    } else {
      first = i;
    }
  free(sorted);
  for (size_t i = 0; i < cases->count; i++)
    if (cases->paths[i])
      cases->paths[kept++] = cases->paths[i];
  cases->count = kept;
  return true;
}

void hn_cases_free(HnCases *cases) {
  for (size_t i = 0; i < cases->count; i++)
    free(cases->paths[i]);
  free(cases->paths);
  tool_left_out_free(&cases->left_out);
  *cases = (HnCases){0};
}
