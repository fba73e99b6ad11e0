/* SPDX-License-Identifier: Apache-2.0 */
/* os_draft: a file that appears complete or not at all: it is written under a temporary name in the same
 * folder, then renamed. It gets the permissions of an old file of that name. Anything but a regular file
 * is written in place, and so is an open file with a name such as /dev/fd/3. */
#ifndef OS_DRAFT_H
#define OS_DRAFT_H

#include <stdbool.h>

typedef struct OsDraft {
  char *path, *temporary; /* path: links followed; NULL if written in place */
  int fd;
} OsDraft;

/* Opens a draft of the file `path`; false with errno set. The draft has to be closed in either case. */
bool os_draft_open(OsDraft *draft, const char *path);
/* Puts the draft in its place if `ok`, else removes it; errno is kept. */
bool os_draft_close(OsDraft *draft, bool ok);

/* For os_draft_close: renames the draft, so that it takes the place of an old file. False with errno set. */
bool os_draft_replace(const OsDraft *draft);

/* A file without a name, for reading and writing, that goes when it is closed; -1 with errno set. */
int os_draft_unnamed(void);

#endif
