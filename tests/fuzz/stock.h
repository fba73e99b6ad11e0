/* SPDX-License-Identifier: Apache-2.0 */
/* stock: fixed modules for the stages of a draw that an input does not have. */
#ifndef FUZZ_STOCK_H
#define FUZZ_STOCK_H

#include <stddef.h>
#include <stdint.h>

typedef enum Stock {
  STOCK_VERTEX,   /* position from location 0; floats at locations 0 to 3, integers at 4 */
  STOCK_GEOMETRY, /* of each triangle twice a strip of two, cut in two by some lanes */
  STOCK_FRAGMENT, /* colours at locations 0, 1, from derivatives; lanes loop and discard */
  STOCK_PLAIN,    /* a fragment shader that only copies its input, so that tests come early */
  STOCK_COMPUTE,  /* does nothing */
  STOCKS
} Stock;

/* The module, assembled at the first call; valid until the process ends. */
const uint32_t *stock_module(Stock which, size_t *count);

#endif
