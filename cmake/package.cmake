# SPDX-License-Identifier: Apache-2.0
# Debian packages of the components of install.cmake, of what is already built: `cpack` in the build folder. Those for a
# distribution are made from debian/, whose texts these have.
#
#   spvreconv         tools, layer, manual pages, completion, documentation
#   libspvreconvN     the shared library; N is the ABI's number
#   libspvreconv-dev  header, static library, pkg-config and CMake files, example

set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_NAME spvreconv)
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_PACKAGE_CONTACT "The developers of spvreconv <spvreconv@spvreconv.invalid>")
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_COMPONENTS_ALL tools runtime development)
set(CPACK_DEB_COMPONENT_INSTALL ON)
set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_COMPRESSION_TYPE xz)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE GROUP_READ
    GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(runtime_package libspvreconv${PROJECT_VERSION_MAJOR})

# debian_field PACKAGE FIELD OUT: a field of a package in debian/control; of a description without the indentation
file(READ ${CMAKE_SOURCE_DIR}/debian/control debian_control)
function(debian_field package field out)
  string(REGEX REPLACE ".*\nPackage: ${package}\n" "\n" text "${debian_control}")
  string(REGEX REPLACE "\n\n.*" "\n" text "${text}")
  string(REGEX MATCH "\n${field}: ([^\n]*(\n [^\n]*)*)" text "${text}")
  string(REGEX REPLACE "\n [.]?" "\n" text "${CMAKE_MATCH_1}")
  set(${out} "${text}" PARENT_SCOPE)
endfunction()

set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME spvreconv)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SHLIBDEPS ON)
# Loaded at run time, only if a Vulkan device is used.
debian_field(spvreconv Recommends CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SUGGESTS "vulkan-validationlayers, libspvreconv-dev")
debian_field(spvreconv Description CPACK_DEBIAN_TOOLS_DESCRIPTION)

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME ${runtime_package})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${CMAKE_SOURCE_DIR}/packaging/triggers)
debian_field(${runtime_package} Description CPACK_DEBIAN_RUNTIME_DESCRIPTION)

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libspvreconv-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "${runtime_package} (= ${PROJECT_VERSION}), spirv-tools") # which the static library needs
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "pkg-config, cmake")
debian_field(libspvreconv-dev Description CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION)

# Files that Debian requires in every package.
find_program(GZIP gzip REQUIRED)
execute_process(COMMAND ${GZIP} -9nc ${CMAKE_SOURCE_DIR}/debian/changelog
                OUTPUT_FILE ${CMAKE_BINARY_DIR}/install/changelog.gz)
foreach(pair tools:spvreconv runtime:${runtime_package} development:libspvreconv-dev)
  string(REPLACE ":" ";" pair ${pair})
  list(GET pair 0 component)
  list(GET pair 1 package)
  install(FILES debian/copyright ${CMAKE_BINARY_DIR}/install/changelog.gz
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
endforeach()

include(CPack)
