/* SPDX-License-Identifier: Apache-2.0 */
/* backend_none: a device that runs nothing. */
#ifndef HN_BACKEND_NONE_H
#define HN_BACKEND_NONE_H

#include "harness/backend/backend_kind.h"

extern const HnBackendKind hn_backend_none;

#endif
