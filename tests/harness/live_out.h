/* live_out: does a module use, behind a loop, what a load inside of it gave?
 *
 * lavapipe (Mesa 22.3.6) and SwiftShader get that wrong where invocations leave the loop at
 * different times: they keep running it with those that left masked off, a masked load gives 0, and
 * that is what the ones that left see behind the loop. See docs/driver-bugs.md. */
#ifndef LIVE_OUT_H
#define LIVE_OUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

bool live_out_of_loop(const uint32_t *words, size_t count);

#endif
