/* SPDX-License-Identifier: Apache-2.0 */
/* cache: see cache.h.
 *
 * A file has a head, then the result's words or message. The head repeats the key, and its checksum
 * covers the whole file: a file that was truncated, changed or renamed is ignored, and the next
 * result replaces it atomically (layer_folder.c). A small result takes one open, read and close. */
#include "harness/layer/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

enum { SLACK = 4096, MOST_BYTES = 1 << 28 };

typedef struct Head {
  char magic[8];
  LyHash key;
  uint64_t checksum;
  uint32_t kind, reason, repaired, zero;
  uint64_t size; /* size of the rest, in bytes */
} Head;

static const char magic[8] = "SPVRECC3";

static uint64_t checksum(Head head, const void *body) {
  head.checksum = 0;
  return XXH3_64bits_withSeed(body, head.size, XXH3_64bits(&head, sizeof head));
}

/* Reads until `bytes` has `wanted` bytes; false: the file is shorter, or cannot be read. */
static bool read_to(int fd, char *bytes, size_t *have, size_t wanted, size_t room) {
  while (*have < wanted) {
    ssize_t got = read(fd, bytes + *have, room - *have);
    if (got < 0 && errno == EINTR)
      continue;
    if (got <= 0)
      return false;
    *have += (size_t)got;
  }
  return true;
}

/* Reads the whole file. The caller frees the result. NULL: it failed. */
static char *read_entry(int fd, size_t expected) {
  size_t have = 0, room = sizeof(Head) + expected + SLACK;
  char *bytes = malloc(room);
  if (!bytes || !read_to(fd, bytes, &have, sizeof(Head), room))
    goto fail;
  size_t size = ((const Head *)(void *)bytes)->size, wanted = sizeof(Head) + size;
  if (size > MOST_BYTES)
    goto fail;
  if (wanted > room) {
    char *more = realloc(bytes, wanted);
    if (!more)
      goto fail;
    bytes = more;
    room = wanted;
  }
  if (read_to(fd, bytes, &have, wanted, room))
    return bytes;
fail:
  free(bytes);
  return NULL;
}

static bool is_sound(const Head *head, LyHash key, const char *body) {
  if (memcmp(head->magic, magic, sizeof magic) != 0 || head->key.high != key.high ||
      head->key.low != key.low || head->checksum != checksum(*head, body))
    return false;
  return head->kind == LY_SAME ||
         (head->kind == LY_CHANGED && head->size % sizeof(uint32_t) == 0) ||
         (head->kind == LY_FAILED && head->size && head->reason < LY_REASONS &&
          body[head->size - 1] == 0);
}

static char *open_entry(const LyFolder *folder, LyHash key, size_t expected) {
  char name[LY_HASH_TEXT];
  ly_hash_print(key, name);
  int fd = openat(folder->fd, name, O_RDONLY | O_CLOEXEC);
  if (fd < 0)
    return NULL;
  char *bytes = read_entry(fd, expected);
  close(fd);
  return bytes;
}

bool ly_cache_load(const LyFolder *folder, LyHash key, size_t expected, LyResult *result) {
  char *bytes = folder->fd < 0 ? NULL : open_entry(folder, key, expected);
  if (!bytes)
    return false;
  const Head *head = (const Head *)(void *)bytes;
  const char *body = bytes + sizeof *head;
  if (!is_sound(head, key, body)) {
    free(bytes);
    return false;
  }
  *result = (LyResult){.kind = (LyKind)head->kind,
                       .reason = (LyReason)head->reason,
                       .repaired = head->repaired,
                       .memory = bytes};
  if (result->kind == LY_CHANGED) {
    result->words = (const uint32_t *)(const void *)body;
    result->bytes = head->size;
  } else if (result->kind == LY_FAILED)
    result->message = body;
  return true;
}

void ly_cache_store(LyFolder *folder, LyHash key, const LyResult *result) {
  const void *body = result->kind == LY_CHANGED ? (const void *)result->words : result->message;
  size_t size = result->kind == LY_CHANGED  ? result->bytes
                : result->kind == LY_FAILED ? strlen(result->message) + 1
                                            : 0;
  if (size > MOST_BYTES)
    return;
  Head head = {.key = key,
               .kind = (uint32_t)result->kind,
               .reason = (uint32_t)result->reason,
               .repaired = result->repaired,
               .size = size};
  memcpy(head.magic, magic, sizeof magic);
  head.checksum = checksum(head, body);
  char name[LY_HASH_TEXT];
  ly_hash_print(key, name);
  /* iovec is for reading too, so it has no const. */
  struct iovec parts[] = {{&head, sizeof head}, {(void *)(uintptr_t)body, size}};
  ly_folder_put(folder, name, parts, 2);
}
