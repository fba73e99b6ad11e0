/* SPDX-License-Identifier: Apache-2.0 */
/* diag: statuses, and the one message that explains a failure. */
#ifndef SR_DIAG_H
#define SR_DIAG_H

#include "passes/base/arena.h"
#include "passes/base/compiler.h"
#include <stdbool.h>

typedef enum SrStatus {
  SR_OK = 0,
  SR_BAD_INPUT,     /* the module is not valid, or lacks what the options ask for */
  SR_BAD_OPTION,    /* an option's value is not valid */
  SR_BUG,           /* one of spvreconv's checks rejects spvreconv's output */
  SR_OUT_OF_MEMORY, /* the allocator failed, or a limit on growth was reached */
} SrStatus;

/* Where a message points. */
typedef struct SrWhere {
  const char *function; /* name of the function, or NULL */
  uint32_t block;       /* id of the block's OpLabel, or 0 */
  uint32_t word;        /* word offset in the input module, or SR_NONE */
} SrWhere;

#define SR_NOWHERE ((SrWhere){.word = SR_NONE})

/* The first failure is kept: `text` is
 *   function main, block %27: what is wrong (word 412, main.comp:11)
 * The caller puts the names of the tool and of the file before it. */
typedef struct SrDiag {
  SrStatus status;
  char text[512];
  /* Writes the place in the source ("main.comp:11"), or nothing; NULL: places are not known. */
  void (*locate)(void *user, SrWhere where, char *text, size_t room);
  void *locate_user;
  /* Notices (not failures) go here, one line each, if set. */
  void (*notice)(void *user, const char *line);
  void *user;
} SrDiag;

/* Records a failure and returns its status. */
SR_MUST_USE SrStatus sr_fail(SrDiag *diag, SrStatus status, SrWhere where, const char *format, ...)
    SR_PRINTF(4, 5);
/* Passes a line on to `notice`; records no failure. */
void sr_notice(SrDiag *diag, SrWhere where, const char *format, ...) SR_PRINTF(3, 4);

enum { SR_MOST_PLACE = 192 };

/* Writes " (word 412, main.comp:11)", or only the part that is known; an empty text if neither part
 * is known. */
void sr_diag_locate(const SrDiag *diag, SrWhere where, char text[SR_MOST_PLACE]);

#define SR_CHECK(expr)                                                                             \
  do {                                                                                             \
    SrStatus sr_status_ = (expr);                                                                  \
    if (sr_status_ != SR_OK)                                                                       \
      return sr_status_;                                                                           \
  } while (0)

#endif
