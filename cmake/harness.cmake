# spv-harness, and the AmberScript library that it is built on.

file(GLOB script_sources CONFIGURE_DEPENDS harness/script/*.c)
file(GLOB harness_sources CONFIGURE_DEPENDS harness/*.c)
list(REMOVE_ITEM harness_sources ${CMAKE_SOURCE_DIR}/harness/main.c)

add_library(spv_script STATIC ${script_sources})
target_include_directories(spv_script PUBLIC harness)
target_link_libraries(spv_script PUBLIC m)

# The objects; tests link these.
add_library(harness_core OBJECT ${harness_sources})
target_include_directories(harness_core PUBLIC harness)
target_link_libraries(harness_core PUBLIC spv_script spvreconv_static spirv_tools glslang vulkan_headers
                                          sqlite xxhash jansson ${CMAKE_DL_LIBS})

add_executable(spv-harness harness/main.c)
target_link_libraries(spv-harness PRIVATE harness_core)
