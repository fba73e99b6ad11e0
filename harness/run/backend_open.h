/* SPDX-License-Identifier: Apache-2.0 */
/* backend_open: chooses and opens the backend that the options name. */
#ifndef HN_BACKEND_OPEN_H
#define HN_BACKEND_OPEN_H

#include "harness/backend/backend.h"

/* Opens the device with exactly the features and extensions that the script requires. On anything
 * but HN_PASS (HN_SKIP: the device lacks something) *message is one line, which the caller frees,
 * and *backend is NULL. The script must outlive the backend. `options->icd` goes into the
 * environment of this process, so one process opens one driver. */
HnOutcome hn_backend_open(const HnBackendOptions *options, const AmberScript *script,
                          HnBackend **backend, char **message);

/* Sets *text to one line for each physical device of the driver that `options->device_name`
 * matches: name, API version, driver, subgroup size. Returns false with one line in *text if the
 * driver cannot be loaded or no device matches. The caller frees *text. */
bool hn_backend_list(const HnBackendOptions *options, char **text);

#endif
