# SPDX-License-Identifier: Apache-2.0
# What `cmake --install` puts in place, by component: tools (the default: binaries, layer, manual
# pages, completion, documentation), runtime (the shared library), development.

include(CMakePackageConfigHelpers)

# ---- binaries and libraries ----------------------------------------------------------------------

set(tools "")
foreach(tool spvreconv spv-emu spv-graph spv-harness)
  if(TARGET ${tool})
    list(APPEND tools ${tool})
    install(TARGETS ${tool} DESTINATION ${CMAKE_INSTALL_BINDIR})
  endif()
endforeach()
if("shared" IN_LIST SPVRECONV_LIBRARIES)
  list(APPEND exports spvreconvTargets)
  install(TARGETS spvreconv_shared EXPORT spvreconvTargets
          LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT runtime
                  NAMELINK_COMPONENT development
          RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR} COMPONENT runtime
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
          INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endif()
if("static" IN_LIST SPVRECONV_LIBRARIES)
  list(APPEND exports spvreconvStaticTargets)
  install(TARGETS spvreconv_static EXPORT spvreconvStaticTargets
          ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} COMPONENT development
          INCLUDES DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
endif()
install(DIRECTORY passes/include/spvreconv DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        COMPONENT development)
install(FILES packaging/cxx/spvreconv.hpp packaging/cxx/spv_emu.hpp
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/spvreconv COMPONENT development)

# ---- how other projects find the library ---------------------------------------------------------

set(config_dir ${CMAKE_INSTALL_LIBDIR}/cmake/spvreconv)
foreach(set ${exports})
  install(EXPORT ${set} NAMESPACE spvreconv:: DESTINATION ${config_dir} COMPONENT development)
endforeach()
configure_package_config_file(packaging/spvreconvConfig.cmake.in
                              ${CMAKE_BINARY_DIR}/install/spvreconvConfig.cmake
                              INSTALL_DESTINATION ${config_dir} NO_SET_AND_CHECK_MACRO)
# Compatible as the ABI is: see spvreconv.h.
write_basic_package_version_file(${CMAKE_BINARY_DIR}/install/spvreconvConfigVersion.cmake
                                 COMPATIBILITY SameMajorVersion)
install(FILES ${CMAKE_BINARY_DIR}/install/spvreconvConfig.cmake
              ${CMAKE_BINARY_DIR}/install/spvreconvConfigVersion.cmake
        DESTINATION ${config_dir} COMPONENT development)

set(pc_dir ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
file(RELATIVE_PATH pc_to_prefix /prefix/${pc_dir} /prefix)
string(REGEX REPLACE "/$" "" pc_to_prefix "${pc_to_prefix}")
configure_file(packaging/spvreconv.pc.in ${CMAKE_BINARY_DIR}/install/spvreconv.pc @ONLY)
install(FILES ${CMAKE_BINARY_DIR}/install/spvreconv.pc DESTINATION ${pc_dir}
        COMPONENT development)

if(TARGET spv-harness)
  install(DIRECTORY harness/cluster DESTINATION ${CMAKE_INSTALL_DATADIR}/spvreconv
          USE_SOURCE_PERMISSIONS)
endif()
install(DIRECTORY examples DESTINATION ${CMAKE_INSTALL_DATADIR}/spvreconv COMPONENT development)

# One file, loaded under the name of each tool.
set(completion_dir ${CMAKE_INSTALL_DATADIR}/bash-completion/completions)
file(MAKE_DIRECTORY ${CMAKE_BINARY_DIR}/install/completion)
foreach(tool ${tools})
  if(tool STREQUAL spvreconv)
    install(FILES packaging/completion.bash RENAME spvreconv DESTINATION ${completion_dir})
  else()
    file(CREATE_LINK spvreconv ${CMAKE_BINARY_DIR}/install/completion/${tool} SYMBOLIC)
    install(FILES ${CMAKE_BINARY_DIR}/install/completion/${tool} DESTINATION ${completion_dir})
  endif()
endforeach()

# ---- documentation -------------------------------------------------------------------------------

if(NOT SPVRECONV_TOOLS)
  return()
endif()
install(FILES README.md LICENSE CHANGELOG.md CITATION.cff DESTINATION ${CMAKE_INSTALL_DOCDIR})
# The pages with their pictures and tables; the manual pages go elsewhere (man.cmake).
install(DIRECTORY docs DESTINATION ${CMAKE_INSTALL_DOCDIR} PATTERN man EXCLUDE)
