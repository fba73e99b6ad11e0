# Tests of the Vulkan layer. test_layer_*.c link its objects and need no Vulkan; app_*.c and the
# scripts load the layer itself.

file(GLOB layer_helpers CONFIGURE_DEPENDS tests/layer/*.c)
list(FILTER layer_helpers EXCLUDE REGEX "/(test|app)_[^/]*$")

# layer_program NAME SOURCE LIBRARY…
function(layer_program name source)
  add_executable(${name} ${source} ${layer_helpers})
  target_compile_options(${name} PRIVATE -UNDEBUG)
  target_include_directories(${name} PRIVATE tests/layer tests/unit tests/harness)
  target_link_libraries(${name} PRIVATE ${ARGN} spv_shader PkgConfig::CMOCKA)
endfunction()

file(GLOB layer_tests CONFIGURE_DEPENDS tests/layer/test_*.c)
foreach(source ${layer_tests})
  get_filename_component(name ${source} NAME_WE)
  layer_program(${name} ${source} layer_core)
  add_labelled_test(${name} layer ${name})
endforeach()
