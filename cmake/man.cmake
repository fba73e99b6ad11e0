# SPDX-License-Identifier: Apache-2.0
# The manual pages: roff from docs/man and, for the tools, from their --help.

set(man_date 2026-11-21) # when their text was last reviewed
set(man_dir ${CMAKE_BINARY_DIR}/man)
# The pages say PREFIX, since the tree may be installed under any.
set(man_subst "LIBDIR=PREFIX/${CMAKE_INSTALL_LIBDIR} INCLUDEDIR=PREFIX/${CMAKE_INSTALL_INCLUDEDIR} \
DATADIR=PREFIX/${CMAKE_INSTALL_DATADIR} DOCDIR=PREFIX/${CMAKE_INSTALL_DOCDIR}")

# man_page PAGE.SECTION [TOOL]; the tool is a target, or a script's path
function(man_page page)
  string(REGEX MATCH "^(.*)\\.([0-9])$" matched ${page})
  set(name ${CMAKE_MATCH_1})
  set(section ${CMAKE_MATCH_2})
  if(TARGET "${ARGV1}" AND SPVRECONV_HOST_TOOLS)
    set(help ${SPVRECONV_HOST_TOOLS}/${ARGV1} --help)
  elseif(TARGET "${ARGV1}")
    set(help ${CMAKE_CROSSCOMPILING_EMULATOR} $<TARGET_FILE:${ARGV1}> --help)
  elseif(ARGN)
    set(help ${ARGV1} --help)
  else()
    set(help true)
  endif()
  add_custom_command(
    OUTPUT ${man_dir}/man${section}/${page}
    COMMAND ${CMAKE_COMMAND} -E make_directory ${man_dir}/man${section}
    COMMAND ${help} | awk -v name=${name} -v section_number=${section} -v date=${man_date}
            -v "version=spvreconv ${PROJECT_VERSION}" -v "subst=${man_subst}"
            -f ${CMAKE_SOURCE_DIR}/tools/man_page.awk - ${CMAKE_SOURCE_DIR}/docs/man/${page}.md
            > ${man_dir}/man${section}/${page}
    COMMAND gzip -9nkf ${man_dir}/man${section}/${page}
    DEPENDS ${ARGV1} tools/man_page.awk docs/man/${page}.md
    VERBATIM)
  set_property(GLOBAL APPEND PROPERTY man_pages ${man_dir}/man${section}/${page})
  install(FILES ${man_dir}/man${section}/${page}.gz DESTINATION ${CMAKE_INSTALL_MANDIR}/man${section})
endfunction()

# A build for another machine cannot ask the tools that it builds.
if(CMAKE_CROSSCOMPILING AND NOT SPVRECONV_HOST_TOOLS AND NOT CMAKE_CROSSCOMPILING_EMULATOR)
  message(STATUS "Not built: manual pages; missing: -DSPVRECONV_HOST_TOOLS=FOLDER, or an emulator")
  return()
endif()

foreach(tool ${tools})
  man_page(${tool}.1 ${tool})
endforeach()
if(build_layer)
  man_page(spvreconv-layer.7)
  foreach(command ${layer_commands})
    man_page(${command}.1 ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/${command})
  endforeach()
endif()
get_property(man_pages GLOBAL PROPERTY man_pages)
add_custom_target(man ALL DEPENDS ${man_pages})
