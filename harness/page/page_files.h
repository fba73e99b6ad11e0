/* SPDX-License-Identifier: Apache-2.0 */
/* page_files: the files of harness/page/assets/ and those that all pages share, converted to C by
 * cmake/embed.cmake, each with a 0 after the last byte. */
#ifndef HN_PAGE_FILES_H
#define HN_PAGE_FILES_H

#include <stddef.h>

extern const unsigned char hn_page_template[], hn_page_style[], hn_page_script[];
extern const size_t hn_page_template_size, hn_page_style_size, hn_page_script_size;

#endif
