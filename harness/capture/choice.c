/* SPDX-License-Identifier: Apache-2.0 */
/* choice: see choice.h. Digits alone are a number, unless there are so many that they can only be a
 * hash. For the slowest dispatch, each dispatch that is larger than all earlier ones of its pipeline, and its
 * second one, is captured and timed; the session keeps one. */
#include "harness/capture/choice.h"

#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

enum { HASH_LEAST = 8, NUMBER_MOST = 12 };

static const char frame[] = "frame=";

static bool is_number(const char *text) {
  size_t length = strlen(text);
  return length && length <= NUMBER_MOST && strspn(text, "0123456789") == length;
}

CpChoice cp_choice_read(const char *text) {
  size_t length = strlen(text);
  if (!length)
    return (CpChoice){.kind = CP_FIRST};
  if (strcmp(text, "all") == 0)
    return (CpChoice){.kind = CP_ALL};
  if (strcmp(text, "slowest") == 0)
    return (CpChoice){.kind = CP_SLOWEST};
  if (strncmp(text, frame, strlen(frame)) == 0 && is_number(text + strlen(frame)))
    return (CpChoice){.kind = CP_FRAME, .number = strtoull(text + strlen(frame), NULL, 10)};
  if (is_number(text))
    return (CpChoice){.kind = CP_NUMBER, .number = strtoull(text, NULL, 10)};
  bool hash = strspn(text, "0123456789abcdef") == length && length >= HASH_LEAST;
  return (CpChoice){.kind = hash ? CP_HASH : CP_NAME, .text = text};
}

static bool has_hash(const CpChoice *choice, LyHash module) {
  char text[LY_HASH_TEXT];
  ly_hash_print(module, text);
  return strncmp(text, choice->text, strlen(choice->text)) == 0;
}

static bool has_name(const CpChoice *choice, const CpCandidate *c) {
  return fnmatch(choice->text, c->entry, 0) == 0 ||
         (c->name && fnmatch(choice->text, c->name, 0) == 0);
}

bool cp_choice_has(const CpChoice *choice, const CpCandidate *c) {
  switch (choice->kind) {
  case CP_FIRST:
    return c->first;
  case CP_ALL:
    return true;
  case CP_SLOWEST:
    return c->largest;
  case CP_NUMBER:
    return c->number == choice->number;
  case CP_FRAME:
    return c->frame == choice->number;
  case CP_HASH:
    return c->first && has_hash(choice, c->module);
  case CP_NAME:
    return c->first && has_name(choice, c);
  }
  return false;
}
