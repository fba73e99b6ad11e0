/* SPDX-License-Identifier: Apache-2.0 */
/* plain_layer: what every Vulkan layer for tests needs: its place in the chain, and forwarding of
 * the calls that it does not hook. A layer defines the two functions at the end.
 *
 * Uses the loader's layer interface, version 2 (LoaderLayerInterface.md of Vulkan-Loader). One
 * instance and one device at a time. */
#ifndef PLAIN_LAYER_H
#define PLAIN_LAYER_H

#include "harness/layer/chain.h"

/* Functions of the next layer, once there is an instance, and once there is a device. */
extern PFN_vkGetInstanceProcAddr plain_next_instance;
extern PFN_vkGetDeviceProcAddr plain_next_device;

/* The layer's own function of that name, or NULL: the call is forwarded. */
PFN_vkVoidFunction plain_hook(const char *name);
/* The device has been created. */
void plain_created(VkInstance instance, VkPhysicalDevice physical, VkDevice device);

#endif
