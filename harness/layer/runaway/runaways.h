/* SPDX-License-Identifier: Apache-2.0 */
/* runaways: which loops ran away. With bound-loops in the list of transforms, lanes that the bound
 * takes out of a loop record themselves in a buffer of the layer (spvreconv_record), one record for
 * each loop of each module. When the device is destroyed, or the process exits, the log gets a line
 * for each loop that lanes were taken out of.
 *
 * The code holds the record's address, so nothing is bound, but the device must have
 * bufferDeviceAddress. A module that is created again has the same records, and so the same code. */
#ifndef LY_RUNAWAY_H
#define LY_RUNAWAY_H

#include "harness/layer/runaway/device_request.h"
#include "harness/layer/support/hash.h"
#include "harness/layer/support/log.h"

#include <spvreconv/spvreconv.h>

/* The records of a device; any number of threads may use them. */
typedef struct LyRunaways LyRunaways;

/* `log` must outlive the records. NULL: there can be none, and the log has a line that says why. */
LyRunaways *ly_runaways_new(const LyDeviceRequest *request, const LyAsker *asker,
                            VkPhysicalDevice physical, VkDevice device, PFN_vkGetDeviceProcAddr get,
                            const LyLog *log);
/* Writes the lines, and frees; the device still exists. NULL is accepted. */
void ly_runaways_free(LyRunaways *runaways);

/* The address of a loop's record; 0: there is none. */
uint64_t ly_runaways_address(LyRunaways *runaways, LyHash module, const spvreconv_bounded *loop);

#endif
