/* SPDX-License-Identifier: Apache-2.0 */
/* session: the capture of a process, with its settings, its folder, and what it reports in
 * INDEX.md.
 *
 * There is one session for all instances and devices, from the first device to the end of the process.
 * The index is written whenever something was captured, and at the end. */
#ifndef CP_SESSION_H
#define CP_SESSION_H

#include "harness/capture/choice.h"
#include "harness/capture/contents_file.h"
#include "harness/layer/support/layer_folder.h"

#include <pthread.h>
#include <stddef.h>

/* A pipeline in the index: a module with an entry point and constants. */
typedef struct CpRow {
  LyHash module, constants;
  bool draws; /* a graphics pipeline */
  char entry[64], name[64];
  uint64_t dispatches, workgroups;
  uint64_t captured; /* dispatches, also those that are still to be written */
  uint64_t largest;  /* workgroups of the largest captured dispatch */
  double seconds;    /* of the timed dispatches */
  uint64_t timed;
} CpRow;

typedef struct CpEntry { /* a case in the index */
  uint64_t number;
  uint32_t row;
  uint32_t groups[3];
  uint64_t bytes;
  double seconds; /* 0: not timed */
  bool draw;      /* groups: vertices, instances, 1 */
  bool first;     /* of its pipeline: its time may include that of a compiler */
  char file[80];
  char (*contents)[CP_FILE_NAME]; /* names of the files of contents; owned */
  uint32_t content_count;
} CpEntry;

typedef struct CpRefusal { /* dispatches of a pipeline that were not captured */
  uint64_t first, count;
  uint32_t row;
  char why[160];
} CpRefusal;

typedef struct CpSession {
  pthread_mutex_t lock; /* of all that follows but the settings */
  LyLog log;
  LyFolder folder;
  char *path, *device; /* the name of the device: that of the first one */
  CpChoice choice;
  uint64_t limit;     /* captures */
  uint64_t max_bytes; /* of copies in memory */
  int process;
  uint64_t numbered, chosen, bytes; /* dispatches; captured dispatches; bytes of copies now */
  uint64_t frame;                   /* of the dispatches that are recorded now */
  bool told_limit;
  CpRow *rows;
  CpEntry *entries;
  CpRefusal *refusals;
  uint32_t row_count, entry_count, refusal_count;
} CpSession;

/* The refusal after a folder could not be written; the log has the reason already. */
extern const char cp_unwritable[];

/* The session of the process; NULL: no capture is asked for, or it is impossible. */
CpSession *cp_session(void);

/* The row of a pipeline; rows are never removed. UINT32_MAX: out of memory. */
uint32_t cp_session_row(CpSession *session, LyHash module, LyHash constants, const char *entry);
/* Notes that the row is that of a graphics pipeline. */
void cp_session_draws(CpSession *session, uint32_t row);
void cp_session_name(CpSession *session, uint32_t row, const char *name);
/* May the next dispatch or draw be captured? */
bool cp_session_wants(CpSession *session);
/* The program has presented a frame. */
void cp_session_present(CpSession *session);
/* Counts a dispatch. True: it should be captured. In either case sets its number, and whether it is
 * the first of its pipeline. */
bool cp_session_choose(CpSession *session, uint32_t row, const uint32_t groups[3], bool indirect,
                       uint64_t *number, bool *first);
/* Takes back a choice, because the command buffer of the dispatch was never submitted. Another
 * dispatch of the pipeline may be chosen. */
void cp_session_forgo(CpSession *session, uint32_t row);
void cp_session_refuse(CpSession *session, uint32_t row, uint64_t number, const char *why);
/* Counts a dispatch or draw whose pipeline the capture has not seen. */
void cp_session_refuse_unknown(CpSession *session);
void cp_session_time(CpSession *session, uint32_t row, double seconds);
/* Reserves memory for copies; false: there would be more than `max_bytes`. */
bool cp_session_reserve(CpSession *session, uint64_t bytes);
void cp_session_release(CpSession *session, uint64_t bytes);
/* Adds a case whose files are written, and takes its list of contents. If only the slowest dispatch
 * is wanted, one case for each pipeline is kept, and at the end of the process only one of
 * these. */
void cp_session_add(CpSession *session, CpEntry entry);
/* Deletes the files of a case that could not be written, and frees its list of contents. */
void cp_session_discard(CpSession *session, CpEntry entry);
/* Writes the index. */
void cp_session_write(CpSession *session);

#endif
