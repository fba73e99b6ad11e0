# SPDX-License-Identifier: Apache-2.0
# Debian packages of the components of install.cmake: `cpack` in the build folder.
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
set(about "Transforms the control flow of SPIR-V modules: any module, however
unstructured, becomes a valid, structured one that computes the same, with no
instruction copied.

")

set(CPACK_DEBIAN_TOOLS_PACKAGE_NAME spvreconv)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SECTION devel)
set(CPACK_DEBIAN_TOOLS_PACKAGE_SHLIBDEPS ON)
# Loaded at run time, only if a Vulkan device is used.
set(CPACK_DEBIAN_TOOLS_PACKAGE_RECOMMENDS
    "libvulkan1, mesa-vulkan-drivers | vulkan-icd, spirv-tools, graphviz")
set(CPACK_DEBIAN_TOOLS_PACKAGE_SUGGESTS "vulkan-validationlayers, libspvreconv-dev")
set(CPACK_DEBIAN_TOOLS_DESCRIPTION "structured control flow for SPIR-V: tools and Vulkan layer
${about}This package has the command spvreconv; spv-emu, which measures the
cost of divergence on a model of a subgroup; spv-harness, which runs shaders on
Vulkan drivers before and after the transforms; and a Vulkan layer that
applies them inside a running program.")

set(CPACK_DEBIAN_RUNTIME_PACKAGE_NAME ${runtime_package})
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SECTION libs)
set(CPACK_DEBIAN_RUNTIME_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS_POLICY ">=")
set(CPACK_DEBIAN_RUNTIME_PACKAGE_CONTROL_EXTRA ${CMAKE_SOURCE_DIR}/packaging/triggers)
set(CPACK_DEBIAN_RUNTIME_DESCRIPTION "structured control flow for SPIR-V: shared library
${about}This package has the library that programs are linked with.")

set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_NAME libspvreconv-dev)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SECTION libdevel)
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_DEPENDS
    "${runtime_package} (= ${PROJECT_VERSION}), spirv-tools") # which the static library needs
set(CPACK_DEBIAN_DEVELOPMENT_PACKAGE_SUGGESTS "pkg-config, cmake")
set(CPACK_DEBIAN_DEVELOPMENT_DESCRIPTION "structured control flow for SPIR-V: development files
${about}This package has the header, the static library, files for pkg-config and
CMake, and an example.")

# Files that Debian requires in every package.
find_program(GZIP gzip REQUIRED)
execute_process(COMMAND ${GZIP} -9nc ${CMAKE_SOURCE_DIR}/packaging/changelog
                OUTPUT_FILE ${CMAKE_BINARY_DIR}/install/changelog.gz)
foreach(pair tools:spvreconv runtime:${runtime_package} development:libspvreconv-dev)
  string(REPLACE ":" ";" pair ${pair})
  list(GET pair 0 component)
  list(GET pair 1 package)
  install(FILES packaging/copyright ${CMAKE_BINARY_DIR}/install/changelog.gz
          DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/${package} COMPONENT ${component})
endforeach()

include(CPack)
