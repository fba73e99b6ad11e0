# SPDX-License-Identifier: Apache-2.0
# The Vulkan layer: library, and manifests by which the loader finds it, in the build tree under
# share/vulkan and installed.
include(GNUInstallDirs)

file(GLOB_RECURSE layer_sources CONFIGURE_DEPENDS harness/layer/*.c harness/capture/*.c spv-emu/format/format*.c)
list(APPEND layer_sources harness/base/feature_lines.c harness/shader/module_text.c harness/shader/block_layout.c)

# The scripts around it are commands, next to the tools.
set(layer_commands "")
file(MAKE_DIRECTORY ${CMAKE_RUNTIME_OUTPUT_DIRECTORY})
foreach(command layer-bisect layer-diff capture)
  list(APPEND layer_commands spvreconv-${command})
  set(script ${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/spvreconv-${command})
  if(IS_SYMLINK ${script}) # of a build before the scripts had a version
    file(REMOVE ${script})
  endif()
  string(REPLACE - _ source ${command})
  configure_file(tools/${source}.sh ${script} @ONLY)
  install(PROGRAMS ${script} DESTINATION ${CMAKE_INSTALL_BINDIR})
endforeach()

# The objects; tests link these.
add_library(layer_core OBJECT ${layer_sources})
target_include_directories(layer_core PUBLIC passes/include)
target_link_libraries(layer_core PUBLIC vulkan_headers xxhash spirv_tools Threads::Threads ${CMAKE_DL_LIBS})

# No assertion may end an application: if the build type has assertions, the library is compiled again
# without them. (Sanitizers would have to be in the application too, so such builds have no layer to load;
# the tests link its objects.)
if(CMAKE_BUILD_TYPE STREQUAL "Release")
  add_library(layer_spvreconv ALIAS spvreconv_static)
elseif(NOT SPVRECONV_SANITIZE)
  add_library(layer_spvreconv STATIC ${core_sources})
  target_include_directories(layer_spvreconv PRIVATE passes/include)
  target_compile_definitions(layer_spvreconv PRIVATE NDEBUG)
  target_link_libraries(layer_spvreconv PRIVATE spirv_tools)
endif()

# layer_manifests FOLDER LIBRARY: writes both manifests, with this name of the library
function(layer_manifests folder layer_library)
  file(STRINGS ${VULKAN_INCLUDE}/vulkan/vulkan_core.h patch REGEX "^#define VK_HEADER_VERSION [0-9]+")
  string(REGEX REPLACE ".* " "" patch "${patch}")
  set(layer_api_version 1.3.${patch})
  foreach(kind explicit implicit)
    configure_file(harness/layer/${kind}.json.in
                   ${folder}/${kind}_layer.d/VkLayer_spvreconv_pipeline.json @ONLY)
  endforeach()
endfunction()

if(TARGET layer_spvreconv)
  add_library(VkLayer_spvreconv_pipeline MODULE)
  target_link_libraries(VkLayer_spvreconv_pipeline PRIVATE layer_core layer_spvreconv)
  target_link_options(VkLayer_spvreconv_pipeline PRIVATE -Wl,--exclude-libs,ALL -Wl,-z,defs -Wl,-z,nodelete)
  layer_manifests(${CMAKE_BINARY_DIR}/share/vulkan
                  ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/libVkLayer_spvreconv_pipeline.so)

  # Relative to the manifest, so that any prefix works; in a folder of its own, since no program is linked with it.
  set(layer_data ${CMAKE_INSTALL_DATADIR}/vulkan)
  set(layer_dir ${CMAKE_INSTALL_LIBDIR}/spvreconv)
  file(RELATIVE_PATH layer_from_manifest
       /prefix/${layer_data}/explicit_layer.d
       /prefix/${layer_dir}/libVkLayer_spvreconv_pipeline.so)
  layer_manifests(${CMAKE_BINARY_DIR}/layer-install ${layer_from_manifest})
  install(TARGETS VkLayer_spvreconv_pipeline LIBRARY DESTINATION ${layer_dir})
  install(DIRECTORY ${CMAKE_BINARY_DIR}/layer-install/ DESTINATION ${layer_data})
endif()
