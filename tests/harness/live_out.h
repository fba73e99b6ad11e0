/* SPDX-License-Identifier: Apache-2.0 */
/* live_out: does a module use, after a loop, the result of a load inside the loop?
 *
 * lavapipe (Mesa 22.3.6) and SwiftShader get that wrong if invocations leave the loop at different
 * times: the loop continues with those that have left masked off, a masked load returns 0, and
 * these invocations see that 0 after the loop. See docs/driver-bugs.md. */
#ifndef LIVE_OUT_H
#define LIVE_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool live_out_of_loop(const uint32_t *words, size_t count);

#endif
