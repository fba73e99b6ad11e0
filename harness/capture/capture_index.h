/* SPDX-License-Identifier: Apache-2.0 */
/* capture_index: writes INDEX.md, which says what was captured, and why the rest was not. */
#ifndef CP_CAPTURE_INDEX_H
#define CP_CAPTURE_INDEX_H

#include "harness/capture/session.h"

/* Writes the index into the session's folder; the caller holds the session's lock. */
void cp_index_write(CpSession *session);

#endif
