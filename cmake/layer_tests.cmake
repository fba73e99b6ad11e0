# SPDX-License-Identifier: Apache-2.0
# Tests of the Vulkan layer. test_layer_*.c link its objects and need no Vulkan; app_*.c and the
# scripts load the layer itself.

file(GLOB layer_helpers CONFIGURE_DEPENDS tests/layer/*.c)
list(FILTER layer_helpers EXCLUDE REGEX "/(test_|app_|fake_driver|capture_layer)[^/]*$")

add_test_parts(layer_parts SOURCES ${layer_helpers}
               LIBRARIES spv_shader cmocka)

add_test_folder(layer layer LIBRARIES layer_core layer_parts SOURCES tests/layer/fake_driver.c)

# The layer compiled as with newer headers than Debian 12's.
add_library(layer_newer OBJECT ${layer_sources})
target_compile_options(layer_newer PUBLIC -include ${CMAKE_SOURCE_DIR}/tests/layer/newer_vulkan.h)
target_include_directories(layer_newer PUBLIC passes/include)
target_link_libraries(layer_newer PUBLIC vulkan_headers xxhash spirv_tools Threads::Threads ${CMAKE_DL_LIBS})
add_test_program(tests_layer_newer TESTS tests/layer/test_layer_chain.c SOURCES tests/layer/fake_driver.c
                 LIBRARIES layer_newer layer_parts)
add_labelled_test(test_layer_newer layer tests_layer_newer test_layer_chain)

# ---- with the loader and the drivers -------------------------------------------------------------

if(NOT TARGET VkLayer_spvreconv_pipeline)
  return()
endif()

# app_NAME of tests/layer/app_NAME.c
function(layer_app name)
  add_executable(app_${name} tests/layer/app_${name}.c tests/layer/app_case.c)
  target_compile_options(app_${name} PRIVATE -UNDEBUG)
  target_compile_definitions(app_${name} PRIVATE
                             "LAYER_PATH=\"${CMAKE_BINARY_DIR}/share/vulkan/explicit_layer.d\"")
  target_link_libraries(app_${name} PRIVATE layer_parts harness_parts harness_core)
  add_dependencies(app_${name} VkLayer_spvreconv_pipeline)
endfunction()

layer_app(pictures)
add_labelled_test(layer_pictures layer app_pictures)
layer_app(chained)
target_link_options(app_chained PRIVATE -Wl,--wrap=vh_features_choose)
add_labelled_test(layer_chained layer app_chained)
layer_app(many)
add_labelled_test(layer_many layer app_many)
layer_app(bench)
set_target_properties(app_bench PROPERTIES OUTPUT_NAME layer-bench)
add_labelled_test(layer_bench bench $<TARGET_FILE:app_bench> --runs=10)

# Programs of our own for captures.
foreach(app capture draws)
  layer_app(${app})
  target_sources(app_${app} PRIVATE tests/layer/app_vulkan.c)
  target_link_libraries(app_${app} PRIVATE vulkan_loader)
endforeach()

# A Vulkan layer that writes the images that are presented, and where the loader finds it.
add_library(capture_layer MODULE tests/layer/capture_layer.c tests/harness/plain_layer.c)
target_link_libraries(capture_layer PRIVATE vulkan_headers)
set(capture_layer_path ${CMAKE_LIBRARY_OUTPUT_DIRECTORY}/libcapture_layer.so)
configure_file(tests/layer/capture_layer.json.in
               ${CMAKE_BINARY_DIR}/bin/layers/capture_layer.json @ONLY)

file(GLOB layer_scripts CONFIGURE_DEPENDS tests/layer/*.sh)
foreach(source ${layer_scripts})
  get_filename_component(name ${source} NAME_WE)
  add_labelled_test(layer_${name} layer sh ${source} ${CMAKE_BINARY_DIR})
endforeach()
