# SPDX-License-Identifier: Apache-2.0
# spv-harness.

file(GLOB_RECURSE harness_sources CONFIGURE_DEPENDS harness/*.c)
list(FILTER harness_sources EXCLUDE REGEX "/harness/((shader|layer|capture)/|cli/main\\.c$)")

can_build(build_opencl "device pocl of spv-harness" opencl_headers)
if(NOT build_opencl)
  list(FILTER harness_sources EXCLUDE REGEX "/harness/opencl/")
endif()

# The files of the page that report writes.
set(page_files ${CMAKE_BINARY_DIR}/harness_page_files.c)
set(harness_page ${CMAKE_SOURCE_DIR}/harness/page/assets)
embed_page(${page_files} hn_page harness/page/page_files.h "${page_head};${harness_page}/page.html;${page_foot}"
           "${page_base_style};${harness_page}/page.css" "${page_base_script};${harness_page}/page.js")

# The objects; tests link these.
add_library(harness_core OBJECT ${harness_sources} ${page_files})
target_link_libraries(harness_core PUBLIC spv_emu_front spv_shader spv_tool vulkan_headers sqlite
                                          ${CMAKE_DL_LIBS})
if(build_opencl)
  target_compile_definitions(harness_core PRIVATE HN_HAS_OPENCL)
  target_link_libraries(harness_core PUBLIC opencl_headers)
endif()

add_executable(spv-harness harness/cli/main.c)
target_link_libraries(spv-harness PRIVATE harness_core)
