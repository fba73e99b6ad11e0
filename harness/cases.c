/* cases: see cases.h. */
#include "cases.h"

#include <errno.h>
#include <fnmatch.h>
#include <fts.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

typedef struct Found {
  char *path, *real; /* as it was reached, and what that resolves to */
} Found;

typedef struct Finder {
  Found *found;
  size_t count, room;
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
  if (!matches(f, path))
    return true;
  if (f->count == f->room) {
    size_t room = f->room ? 2 * f->room : 64;
    Found *found = realloc(f->found, room * sizeof *found);
    if (!found)
      return tell(f, path, "out of memory");
    f->found = found;
    f->room = room;
  }
  Found *found = &f->found[f->count++];
  *found = (Found){strdup(path), realpath(path, NULL)};
  return (found->path && found->real) || tell(f, path, strerror(errno));
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

static int by_real_path(const void *a, const void *b) {
  const Found *x = a, *y = b;
  int way = strcmp(x->real, y->real);
  return way ? way : strcmp(x->path, y->path);
}

/* Each file once, whatever ways led to it. */
static bool keep(Finder *f, HnCases *cases) {
  cases->paths = calloc(f->count + 1, sizeof *cases->paths);
  if (!cases->paths)
    return tell(f, "cases", "out of memory");
  if (f->count)
    qsort(f->found, f->count, sizeof *f->found, by_real_path);
  for (size_t i = 0; i < f->count; i++)
    if (i == 0 || strcmp(f->found[i].real, f->found[i - 1].real) != 0) {
      cases->paths[cases->count++] = f->found[i].path;
      f->found[i].path = NULL;
    }
  if (cases->count)
    qsort(cases->paths, cases->count, sizeof *cases->paths, by_path);
  return true;
}

static void forget(Finder *f) {
  for (size_t i = 0; i < f->count; i++) {
    free(f->found[i].path);
    free(f->found[i].real);
  }
  free(f->found);
}

bool hn_cases_find(char *const *given, int count, const char *filter, HnCases *cases,
                   char **message) {
  *cases = (HnCases){0};
  Finder f = {.filter = filter, .message = message};
  bool good = true;
  for (int i = 0; good && i < count; i++)
    good = add_given(&f, given[i]);
  good = good && keep(&f, cases);
  if (good && cases->count == 0)
    good = tell(&f, given[0], filter ? "no case matches the filter" : "there is no case");
  if (!good)
    hn_cases_free(cases);
  forget(&f);
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
