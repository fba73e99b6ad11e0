/* SPDX-License-Identifier: Apache-2.0 */
/* bare_vertex: the vertices of a draw without a case: a vertex shader for a fragment shader that
 * has none, and made-up attributes.
 *
 * One triangle covers the framebuffer. It is twice as wide and twice as high, so that no edge runs
 * through the framebuffer: quads on an edge are shaded for both of its sides. The vertex shader
 * made for it gives each number of the fragment shader's inputs a value that depends on its
 * component: x and y go from 0 at the left and the top of the framebuffer to 1 at the right and the
 * bottom, z is 0, w is 1; integers are 0. Inputs that do not have 32 bits get no output of the
 * vertex shader. So they are 0 in the emulator, and undefined on drivers. */
#ifndef EMU_BARE_VERTEX_H
#define EMU_BARE_VERTEX_H

#include <spv-emu/spv_emu_render.h>
#include <stdio.h>

/* The module's text, to be freed; NULL: out of memory. */
char *emu_vertex_shader(const spv_emu_program *fragment);
/* Prints the value that each input of the fragment shader gets, one line for each location. */
void emu_vertex_tell(const spv_emu_program *fragment, FILE *out);

typedef struct EmuVertexData {
  spv_emu_vertex_input *inputs; /* owned, as is what they point to */
  uint32_t input_count, count;  /* count: vertices */
} EmuVertexData;

/* The attributes of `count` vertices for the inputs of a vertex shader; `shader` NULL: the vertex
 * shader made up. `count` 0: the triangle over the framebuffer, with its position at the first
 * location and values as above at the others. Else triangles with random numbers: floats from -1 to below 1 at the first
 * location, from 0 to below 1 at the others; integers below 64. False: out of memory. Free the data
 * in any case. */
bool emu_vertex_data(const spv_emu_program *shader, uint32_t count, uint64_t seed,
                     EmuVertexData *data);
/* Prints the value that each input of the vertex shader gets, one line for each location. */
void emu_vertex_data_tell(const spv_emu_program *shader, uint32_t count, FILE *out);
void emu_vertex_data_free(EmuVertexData *data);

#endif
