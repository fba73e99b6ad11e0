# spv-harness.

file(GLOB harness_sources CONFIGURE_DEPENDS harness/*.c)
list(REMOVE_ITEM harness_sources ${CMAKE_SOURCE_DIR}/harness/main.c ${shader_sources})

# The objects; tests link these.
add_library(harness_core OBJECT ${harness_sources})
target_include_directories(harness_core PUBLIC harness)
target_link_libraries(harness_core PUBLIC spv_emu_front spv_shader spv_cli vulkan_headers sqlite
                                          ${CMAKE_DL_LIBS})

add_executable(spv-harness harness/main.c)
target_link_libraries(spv-harness PRIVATE harness_core)
