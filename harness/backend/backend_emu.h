/* SPDX-License-Identifier: Apache-2.0 */
/* backend_emu: the emulator as a device. */
#ifndef HN_BACKEND_EMU_H
#define HN_BACKEND_EMU_H

#include "harness/backend/backend_kind.h"

extern const HnBackendKind hn_backend_emu;

#endif
