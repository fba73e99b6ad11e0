# SPDX-License-Identifier: Apache-2.0
# An HTML page's template, styles and scripts, in the program that writes the page.

# embed_page OUT.c PREFIX HEADER TEMPLATES STYLES SCRIPTS: see embed.cmake
function(embed_page out prefix header templates styles scripts)
  string(REPLACE ";" "," template "${templates}")
  string(REPLACE ";" "," style "${styles}")
  string(REPLACE ";" "," script "${scripts}")
  add_custom_command(
    OUTPUT ${out}
    COMMAND ${CMAKE_COMMAND} -DOUT=${out} -DPREFIX=${prefix} -DHEADER=${header} -DTEMPLATE=${template}
            -DSTYLE=${style} -DSCRIPT=${script} -P ${CMAKE_SOURCE_DIR}/cmake/embed.cmake
    DEPENDS ${CMAKE_SOURCE_DIR}/cmake/embed.cmake ${templates} ${styles} ${scripts}
    VERBATIM)
endfunction()
