/* SPDX-License-Identifier: Apache-2.0 */
/* page_artifacts: see page_artifacts.h. */
#include "harness/page/page_artifacts.h"

#include "harness/artifacts/artifacts.h"
#include "harness/base/message.h"
#include "harness/results/results_query.h"
#include "passes/tool/compile/compile_file.h"
#include "passes/tool/tool_json.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MOST_PICTURE = 2 << 20,
  MOST_PICTURES = 12 << 20
}; /* bytes of PNG: of one picture, of all
                                                              pictures */

/* ---- folders --------------------------------------------------------------------------------- */

static bool add_folder(HnPageArtifacts *a, const char *folder) {
  char **more = realloc(a->folders, (a->count + 1) * sizeof *more);
  if (!more)
    return false;
  a->folders = more;
  more[a->count] = strdup(folder);
  return more[a->count++];
}

static void take_folder(sqlite3_stmt *s, void *user) {
  add_folder(user, hn_db_text(s, 0));
}

static void take_flag(sqlite3_stmt *s, void *user) {
  *(bool *)user = sqlite3_column_int(s, 0);
}

/* Adds the folders that the database names; databases of older versions name none. */
static bool find_named(HnPageArtifacts *artifacts, const char *results, char **message) {
  bool has = false;
  return hn_results_query(results, NULL,
                          "SELECT count(*) FROM a.sqlite_master WHERE name = 'artifacts'", NULL,
                          take_flag, &has, message) &&
         (!has || hn_results_query(results, NULL, "SELECT folder FROM a.artifacts ORDER BY 1", NULL,
                                   take_folder, artifacts, message));
}

bool hn_page_artifacts_find(HnPageArtifacts *artifacts, const char *results, const char *more,
                            char **message) {
  return find_named(artifacts, results, message) &&
         (!more || add_folder(artifacts, more) || hn_message_set(message, more, "out of memory"));
}

void hn_page_artifacts_free(HnPageArtifacts *artifacts) {
  for (size_t i = 0; i < artifacts->count; i++)
    free(artifacts->folders[i]);
  free(artifacts->folders);
}

/* ---- pictures -------------------------------------------------------------------------------- */

static char *base64(const uint8_t *bytes, size_t size) {
  static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  char *text = malloc((size + 2) / 3 * 4 + 1), *at = text;
  for (size_t i = 0; text && i < size; i += 3) {
    size_t left = size - i;
    uint32_t word = (uint32_t)bytes[i] << 16 | (left > 1 ? (uint32_t)bytes[i + 1] << 8 : 0) |
                    (left > 2 ? bytes[i + 2] : 0u);
    *at++ = digits[word >> 18];
    *at++ = digits[word >> 12 & 63];
    *at++ = left > 1 ? digits[word >> 6 & 63] : '=';
    *at++ = left > 2 ? digits[word & 63] : '=';
  }
  if (text)
    *at = 0;
  return text;
}

/* The picture as a data URI; NULL: it is left out. */
static json_t *picture_of(HnPageArtifacts *a, const char *folder, const char *name) {
  char *file, *text = NULL;
  uint8_t *bytes = NULL;
  size_t size = 0;
  json_t *uri = NULL;
  if (asprintf(&file, "%s/%s", folder, name) < 0)
    return NULL;
  if (compile_file_read(file, MOST_PICTURE, &bytes, &size) && a->bytes + size <= MOST_PICTURES)
    text = base64(bytes, size);
  if (text) {
    uri = json_sprintf("data:image/png;base64,%s", text);
    a->bytes += size;
  } else {
    a->left_out++;
  }
  free(file);
  free(bytes);
  free(text);
  return uri;
}

static void embed(HnPageArtifacts *a, const char *folder, json_t *pictures) {
  const char *key;
  json_t *name;
  void *next;
  json_object_foreach_safe(pictures, next, key, name) {
    const char *file = json_string_value(name);
    json_t *uri = file && !strchr(file, '/') ? picture_of(a, folder, file) : NULL;
    if (uri)
      json_object_set_new(pictures, key, uri);
    else
      json_object_del(pictures, key);
  }
}

/* ---- a failure ------------------------------------------------------------------------------- */

static json_t *load(const char *folder) {
  char *file;
  json_t *o = NULL;
  if (asprintf(&file, "%s/failure.json", folder) >= 0) {
    o = json_load_file(file, 0, NULL);
    free(file);
  }
  if (json_is_object(o))
    return o;
  json_decref(o);
  return NULL;
}

/* Does one text begin with the other? Closing the device may have added to a message. */
static bool begins(const char *a, const char *b) {
  size_t x = a ? strlen(a) : 0, y = b ? strlen(b) : 0;
  return x == 0 || y == 0 || strncmp(a, b, x < y ? x : y) == 0;
}

/* Is `o` about this failure, rather than about one of another run? */
static bool is_of(const json_t *o, const char *outcome, const char *message) {
  const char *own = json_string_value(json_object_get(o, "outcome"));
  json_t *text = tool_json_text(message);
  bool same = own && strcmp(own, outcome) == 0 &&
              begins(json_string_value(json_object_get(o, "message")), json_string_value(text));
  json_decref(text);
  return strcmp(outcome, "flake") == 0 || same;
}

static void finish(HnPageArtifacts *a, const char *folder, json_t *o) {
  static const char *const known[] = {"case", "device", "variant", "outcome", "message"};
  size_t i;
  json_t *buffer;
  for (size_t k = 0; k < sizeof known / sizeof *known; k++)
    json_object_del(o, known[k]);
  json_object_set_new(o, "folder", tool_json_text(folder));
  json_array_foreach(json_object_get(o, "buffers"), i, buffer)
      embed(a, folder, json_object_get(buffer, "pictures"));
}

json_t *hn_page_artifacts_of(HnPageArtifacts *artifacts, const char *path, const char *device,
                             const char *variant, const char *outcome, const char *message) {
  json_t *found = NULL;
  for (size_t i = artifacts->count; i-- && !found;) {
    char *folder = hn_artifacts_folder(artifacts->folders[i], path, device, variant);
    json_t *o = folder ? load(folder) : NULL;
    if (o && is_of(o, outcome, message)) {
      finish(artifacts, folder, o);
      found = json_incref(o);
    }
    json_decref(o);
    free(folder);
  }
  return found ? found : json_null();
}
