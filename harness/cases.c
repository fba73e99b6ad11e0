/* cases: see cases.h. */
#include "cases.h"

#include <errno.h>
#include <fnmatch.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct Finder {
  HnCases *cases;
  size_t room;
  const char *filter;
  char **message;
} Finder;

static bool tell(const Finder *f, const char *path, const char *what) {
  if (asprintf(f->message, "%s: %s", path, what) < 0)
    *f->message = NULL;
  return false;
}

/* A pattern without a slash at its start may match from any folder on. */
static bool matches(const Finder *f, const char *path) {
  if (!f->filter || fnmatch(f->filter, path, 0) == 0)
    return true;
  for (const char *p = path; (p = strchr(p, '/')); p++)
    if (fnmatch(f->filter, p + 1, 0) == 0)
      return true;
  return false;
}

static bool add(Finder *f, const char *path) {
  HnCases *c = f->cases;
  if (!matches(f, path))
    return true;
  if (c->count == f->room) {
    size_t room = f->room ? 2 * f->room : 64;
    char **paths = realloc(c->paths, room * sizeof *paths);
    if (!paths)
      return tell(f, path, "out of memory");
    c->paths = paths;
    f->room = room;
  }
  c->paths[c->count] = strdup(path);
  return c->paths[c->count++] || tell(f, path, "out of memory");
}

static bool is_case(const char *name) {
  size_t n = strlen(name);
  return n > 6 && strcmp(name + n - 6, ".amber") == 0;
}

static bool add_folder(Finder *f, char *path) {
  char *paths[] = {path, NULL};
  FTS *walk = fts_open(paths, FTS_LOGICAL | FTS_NOCHDIR, NULL);
  bool good = walk || tell(f, path, strerror(errno));
  const FTSENT *e;
  while (good && (e = fts_read(walk))) {
    if (e->fts_info == FTS_DNR || e->fts_info == FTS_ERR)
      good = tell(f, e->fts_path, strerror(e->fts_errno));
    else if (e->fts_info == FTS_F && is_case(e->fts_name))
      good = add(f, e->fts_path);
  }
  if (walk)
    fts_close(walk);
  return good;
}

static bool add_given(Finder *f, const char *given) {
  struct stat st;
  if (stat(given, &st) != 0)
    return tell(f, given, strerror(errno));
  if (!S_ISDIR(st.st_mode))
    return add(f, given);
  char *path = strdup(given);
  if (!path)
    return tell(f, given, "out of memory");
  for (size_t n = strlen(path); n > 1 && path[n - 1] == '/'; n--)
    path[n - 1] = 0;
  bool good = add_folder(f, path);
  free(path);
  return good;
}

static int by_path(const void *a, const void *b) {
  return strcmp(*(char *const *)a, *(char *const *)b);
}

static void sort(HnCases *c) {
  size_t kept = 0;
  if (c->count)
    qsort(c->paths, c->count, sizeof *c->paths, by_path);
  for (size_t i = 0; i < c->count; i++)
    if (kept && strcmp(c->paths[i], c->paths[kept - 1]) == 0)
      free(c->paths[i]);
    else
      c->paths[kept++] = c->paths[i];
  c->count = kept;
}

bool hn_cases_find(char *const *given, int count, const char *filter, HnCases *cases,
                   char **message) {
  *cases = (HnCases){0};
  Finder f = {.cases = cases, .filter = filter, .message = message};
  bool good = true;
  for (int i = 0; good && i < count; i++)
    good = add_given(&f, given[i]);
  sort(cases);
  if (good && cases->count == 0)
    good = tell(&f, given[0], filter ? "no case matches the filter" : "there is no case");
  if (!good)
    hn_cases_free(cases);
  return good;
}

void hn_cases_shard(HnCases *cases, unsigned index, unsigned of) {
  size_t kept = 0;
  for (size_t i = 0; i < cases->count; i++)
    if (i % of == index - 1)
      cases->paths[kept++] = cases->paths[i];
    else
      free(cases->paths[i]);
  cases->count = kept;
}

void hn_cases_free(HnCases *cases) {
  for (size_t i = 0; i < cases->count; i++)
    free(cases->paths[i]);
  free(cases->paths);
  *cases = (HnCases){0};
}
