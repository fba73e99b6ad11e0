# SPDX-License-Identifier: Apache-2.0
# The library from this tree: vcpkg install spvreconv --overlay-ports=packaging/vcpkg
# (A port of a registry fetches a release instead, with vcpkg_from_git or vcpkg_from_github.)
get_filename_component(SOURCE_PATH "${CMAKE_CURRENT_LIST_DIR}/../../.." ABSOLUTE)

set(libraries shared)
if(VCPKG_LIBRARY_LINKAGE STREQUAL "static")
  set(libraries static)
endif()

vcpkg_cmake_configure(
  SOURCE_PATH "${SOURCE_PATH}"
  OPTIONS
    -DSPVRECONV_TOOLS=OFF
    -DSPVRECONV_LLD=OFF
    -DSPVRECONV_LIBRARIES=${libraries}
    -DSPVRECONV_SPIRV_TOOLS=static
    -DCMAKE_INSTALL_LIBDIR=lib
)
vcpkg_cmake_install()
vcpkg_cmake_config_fixup(CONFIG_PATH lib/cmake/spvreconv)
vcpkg_fixup_pkgconfig()
file(REMOVE_RECURSE "${CURRENT_PACKAGES_DIR}/debug/include" "${CURRENT_PACKAGES_DIR}/debug/share"
                    "${CURRENT_PACKAGES_DIR}/share/spvreconv/examples")
file(INSTALL "${CMAKE_CURRENT_LIST_DIR}/usage" DESTINATION "${CURRENT_PACKAGES_DIR}/share/${PORT}")
vcpkg_install_copyright(FILE_LIST "${SOURCE_PATH}/LICENSE")
