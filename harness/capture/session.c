/* SPDX-License-Identifier: Apache-2.0 */
/* session: see session.h. */
#include "harness/capture/session.h"

#include "harness/capture/capture_index.h"
#include "harness/layer/support/variable.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <unistd.h>

enum { DEFAULT_LIMIT = 100 };
static const double default_bytes = 1 << 30;

static CpSession *the_session;
static pthread_once_t once = PTHREAD_ONCE_INIT;

/* ---- rows ------------------------------------------------------------------------------------ */

/* Room for one more item in an array that doubles at powers of two. */
static bool grow(void **items, uint32_t count, size_t size) {
  if (count & (count - 1) && count)
    return true;
  void *grown = realloc(*items, (count ? 2u * count : 1u) * size);
  if (grown)
    *items = grown;
  return grown != NULL;
}

static uint32_t find_row(const CpSession *s, LyHash module, LyHash constants, const char *entry) {
  for (uint32_t i = 0; i < s->row_count; i++) {
    const CpRow *row = &s->rows[i];
    if (memcmp(&row->module, &module, sizeof module) == 0 &&
        memcmp(&row->constants, &constants, sizeof constants) == 0 &&
        strncmp(row->entry, entry, sizeof row->entry - 1) == 0)
      return i;
  }
  return UINT32_MAX;
}

uint32_t cp_session_row(CpSession *s, LyHash module, LyHash constants, const char *entry) {
  pthread_mutex_lock(&s->lock);
  uint32_t row = find_row(s, module, constants, entry);
  void *rows = s->rows;
  if (row == UINT32_MAX && grow(&rows, s->row_count, sizeof *s->rows)) {
    s->rows = rows;
    row = s->row_count++;
    s->rows[row] = (CpRow){.module = module, .constants = constants};
    strncpy(s->rows[row].entry, entry, sizeof s->rows[row].entry - 1);
  }
  pthread_mutex_unlock(&s->lock);
  return row;
}

void cp_session_draws(CpSession *s, uint32_t row) {
  pthread_mutex_lock(&s->lock);
  s->rows[row].draws = true;
  pthread_mutex_unlock(&s->lock);
}

void cp_session_name(CpSession *s, uint32_t row, const char *name) {
  pthread_mutex_lock(&s->lock);
  strncpy(s->rows[row].name, name, sizeof s->rows[row].name - 1);
  pthread_mutex_unlock(&s->lock);
}

void cp_session_time(CpSession *s, uint32_t row, double seconds) {
  pthread_mutex_lock(&s->lock);
  s->rows[row].seconds += seconds;
  s->rows[row].timed++;
  pthread_mutex_unlock(&s->lock);
}

/* ---- choosing -------------------------------------------------------------------------------- */

static bool below_limit(CpSession *s) {
  if (s->chosen < s->limit || s->choice.kind == CP_SLOWEST)
    return true;
  if (!s->told_limit)
    ly_log(&s->log, LY_ERROR,
           "SPVRECONV_CAPTURE: %llu dispatches are captured, and no more (--limit, "
           "SPVRECONV_CAPTURE_LIMIT)",
           (unsigned long long)s->limit);
  s->told_limit = true;
  return false;
}

bool cp_session_wants(CpSession *s) {
  pthread_mutex_lock(&s->lock);
  bool wants = s->choice.kind == CP_NUMBER  ? s->numbered <= s->choice.number
               : s->choice.kind == CP_FRAME ? s->frame == s->choice.number && s->chosen < s->limit
                                            : s->choice.kind == CP_SLOWEST || s->chosen < s->limit;
  pthread_mutex_unlock(&s->lock);
  return wants;
}

void cp_session_present(CpSession *s) {
  pthread_mutex_lock(&s->lock);
  s->frame++;
  pthread_mutex_unlock(&s->lock);
}

bool cp_session_choose(CpSession *s, uint32_t row, const uint32_t groups[3], bool indirect,
                       uint64_t *number, bool *first) {
  pthread_mutex_lock(&s->lock);
  CpRow *r = &s->rows[row];
  uint64_t count = indirect ? 1 : (uint64_t)groups[0] * groups[1] * groups[2];
  *number = s->numbered++;
  *first = r->dispatches++ == 0;
  r->workgroups += indirect ? 0 : count;
  const CpCandidate candidate = {.number = *number,
                                 .frame = s->frame,
                                 .module = r->module,
                                 .entry = r->entry,
                                 .name = *r->name ? r->name : NULL,
                                 .first = r->captured == 0,
                                 .largest = count > r->largest || r->dispatches == 2};
  bool chosen = cp_choice_has(&s->choice, &candidate) && below_limit(s);
  if (chosen) {
    s->chosen++;
    r->captured++;
    r->largest = count > r->largest ? count : r->largest;
  }
  pthread_mutex_unlock(&s->lock);
  return chosen;
}

void cp_session_forgo(CpSession *s, uint32_t row) {
  pthread_mutex_lock(&s->lock);
  s->rows[row].captured--;
  s->chosen--;
  if (!s->rows[row].captured)
    s->rows[row].largest = 0;
  pthread_mutex_unlock(&s->lock);
}

const char cp_unwritable[] = "the case cannot be written";

void cp_session_refuse(CpSession *s, uint32_t row, uint64_t number, const char *why) {
  pthread_mutex_lock(&s->lock);
  CpRefusal *same = NULL;
  for (uint32_t i = 0; i < s->refusal_count && !same; i++)
    if (s->refusals[i].row == row && strncmp(s->refusals[i].why, why, sizeof same->why - 1) == 0)
      same = &s->refusals[i];
  void *refusals = s->refusals;
  if (!same && grow(&refusals, s->refusal_count, sizeof *s->refusals)) {
    s->refusals = refusals;
    same = &s->refusals[s->refusal_count++];
    *same = (CpRefusal){.first = number, .row = row};
    strncpy(same->why, why, sizeof same->why - 1);
    char hash[LY_HASH_TEXT];
    ly_hash_print(s->rows[row].module, hash);
    if (why != cp_unwritable)
      ly_log(&s->log, LY_ERROR, "%s %llu (%s, %s) is not captured: %s",
             s->rows[row].draws ? "draw" : "dispatch", (unsigned long long)number, hash,
             s->rows[row].entry, why);
  }
  if (same)
    same->count++;
  s->chosen--;
  pthread_mutex_unlock(&s->lock);
}

void cp_session_refuse_unknown(CpSession *s) {
  const LyHash none = {0};
  const uint32_t groups[3] = {0};
  uint32_t row = cp_session_row(s, none, none, "unknown");
  uint64_t number;
  bool first;
  if (row != UINT32_MAX && cp_session_choose(s, row, groups, false, &number, &first))
    cp_session_refuse(s, row, number, "its pipeline is unknown (a shader object?)");
}

/* ---- memory ---------------------------------------------------------------------------------- */

bool cp_session_reserve(CpSession *s, uint64_t bytes) {
  pthread_mutex_lock(&s->lock);
  bool fits = bytes <= s->max_bytes && s->bytes <= s->max_bytes - bytes;
  if (fits)
    s->bytes += bytes;
  pthread_mutex_unlock(&s->lock);
  return fits;
}

void cp_session_release(CpSession *s, uint64_t bytes) {
  pthread_mutex_lock(&s->lock);
  s->bytes -= bytes;
  pthread_mutex_unlock(&s->lock);
}

/* ---- cases ----------------------------------------------------------------------------------- */

static bool has_contents(const CpEntry *entry, const char *name) {
  for (uint32_t i = 0; i < entry->content_count; i++)
    if (strcmp(entry->contents[i], name) == 0)
      return true;
  return false;
}

static bool is_needed(const CpSession *s, const CpEntry *except, const char *name) {
  for (uint32_t i = 0; i < s->entry_count; i++)
    if (&s->entries[i] != except && has_contents(&s->entries[i], name))
      return true;
  return false;
}

/* Deletes the files of an entry, except contents that others need. */
static void delete_files(const CpSession *s, const CpEntry *entry, const CpEntry *instead) {
  for (uint32_t i = 0; i < entry->content_count; i++)
    if (!is_needed(s, entry, entry->contents[i]) &&
        !(instead && has_contents(instead, entry->contents[i])))
      unlinkat(s->folder.fd, entry->contents[i], 0);
  unlinkat(s->folder.fd, entry->file, 0);
  free(entry->contents);
}

void cp_session_discard(CpSession *s, CpEntry entry) {
  pthread_mutex_lock(&s->lock);
  delete_files(s, &entry, NULL);
  pthread_mutex_unlock(&s->lock);
}

/* Of two dispatches of one pipeline, the one that is not the first counts, since drivers compile at the
 * first. */
static bool is_better(const CpEntry *a, const CpEntry *b) {
  return a->first != b->first ? b->first : a->seconds > b->seconds;
}

static CpEntry *entry_of(const CpSession *s, uint32_t row) {
  for (uint32_t i = 0; i < s->entry_count; i++)
    if (s->entries[i].row == row)
      return &s->entries[i];
  return NULL;
}

static void append(CpSession *s, const CpEntry *entry) {
  void *entries = s->entries;
  if (!grow(&entries, s->entry_count, sizeof *s->entries)) {
    free(entry->contents);
    return;
  }
  s->entries = entries;
  s->entries[s->entry_count++] = *entry;
}

void cp_session_add(CpSession *s, CpEntry entry) {
  pthread_mutex_lock(&s->lock);
  CpEntry *kept = s->choice.kind == CP_SLOWEST ? entry_of(s, entry.row) : NULL;
  if (!kept) {
    append(s, &entry);
  } else if (is_better(&entry, kept)) {
    delete_files(s, kept, &entry);
    *kept = entry;
  } else {
    delete_files(s, &entry, NULL);
  }
  pthread_mutex_unlock(&s->lock);
  cp_session_write(s);
}

/* Of the slowest dispatches of each pipeline, keeps the slowest. */
static void keep_slowest(CpSession *s) {
  while (s->choice.kind == CP_SLOWEST && s->entry_count > 1) {
    CpEntry *last = &s->entries[s->entry_count - 1], *kept = &s->entries[0];
    if (last->seconds > kept->seconds) {
      const CpEntry other = *last;
      *last = *kept;
      *kept = other;
    }
    delete_files(s, last, NULL);
    s->entry_count--;
  }
}

void cp_session_write(CpSession *s) {
  pthread_mutex_lock(&s->lock);
  cp_index_write(s);
  pthread_mutex_unlock(&s->lock);
}

/* ---- the start and the end ------------------------------------------------------------------- */

static bool lock_folder(CpSession *s) {
  if (s->folder.fd < 0)
    return false;
  if (flock(s->folder.fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
    return true;
  ly_log(&s->log, LY_ERROR,
         "SPVRECONV_CAPTURE: %s: another process captures into this folder; nothing is captured",
         s->path);
  return false;
}

/* The index also shows whether the folder can be written. */
static bool open_folder(CpSession *s) {
  ly_folder_open(&s->folder, "SPVRECONV_CAPTURE", s->path, &s->log);
  if (!lock_folder(s))
    return false;
  cp_session_write(s);
  return !atomic_load(&s->folder.complained);
}

static const char *split_selection(char *value) {
  char *colon = strrchr(value, ':');
  if (!colon)
    return "";
  *colon = 0;
  return colon + 1;
}

/* Says that the chosen dispatch has not come. */
static void tell_missing(const CpSession *s) {
  if (s->chosen || s->refusal_count)
    return;
  if (s->choice.kind == CP_NUMBER)
    ly_log(&s->log, LY_ERROR,
           "SPVRECONV_CAPTURE: there was no dispatch %llu; the program recorded %llu",
           (unsigned long long)s->choice.number, (unsigned long long)s->numbered);
  else if (s->choice.kind == CP_FRAME)
    ly_log(&s->log, LY_ERROR,
           "SPVRECONV_CAPTURE: nothing was recorded in frame %llu; the program presented %llu",
           (unsigned long long)s->choice.number, (unsigned long long)s->frame);
  else if (s->choice.text)
    ly_log(&s->log, LY_ERROR,
           "SPVRECONV_CAPTURE: no pipeline is named '%.80s'; %s/INDEX.md lists the pipelines",
           s->choice.text, s->path);
}

static void end(void) {
  CpSession *s = the_session;
  if (!s || s->process != (int)getpid())
    return;
  tell_missing(s);
  keep_slowest(s);
  cp_session_write(s);
}

static void start(void) {
  const char *value = ly_variable("SPVRECONV_CAPTURE");
  CpSession *s = value ? calloc(1, sizeof *s) : NULL;
  if (!s)
    return;
  pthread_mutex_init(&s->lock, NULL);
  s->log = ly_log_open(ly_variable("SPVRECONV_LOG"));
  s->process = (int)getpid();
  s->path = strdup(value);
  if (!s->path)
    return;
  s->choice = cp_choice_read(split_selection(s->path));
  s->limit =
      (uint64_t)ly_variable_number(&s->log, "SPVRECONV_CAPTURE_LIMIT", "captures", DEFAULT_LIMIT);
  s->max_bytes =
      (uint64_t)ly_variable_number(&s->log, "SPVRECONV_CAPTURE_MAX_BYTES", "bytes", default_bytes);
  if (!open_folder(s))
    return;
  the_session = s;
  atexit(end);
}

CpSession *cp_session(void) {
  pthread_once(&once, start);
  return the_session;
}
