/* SPDX-License-Identifier: Apache-2.0 */
/* backend_cl: an OpenCL driver as a device; it compiles the OpenCL C of a script itself, so only
 * variant `none` runs on it. */
#ifndef HN_BACKEND_CL_H
#define HN_BACKEND_CL_H

#include "harness/backend/backend_kind.h"

extern const HnBackendKind hn_backend_cl;

#endif
