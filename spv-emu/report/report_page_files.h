/* SPDX-License-Identifier: Apache-2.0 */
/* report_page_files: the files of spv-emu/report/page/, converted to C by cmake/embed.cmake, each
 * with a 0 after the last byte. */
#ifndef EMU_REPORT_PAGE_FILES_H
#define EMU_REPORT_PAGE_FILES_H

#include <stddef.h>

extern const unsigned char emu_page_template[], emu_page_style[], emu_page_script[];
extern const size_t emu_page_template_size, emu_page_style_size, emu_page_script_size;

#endif
