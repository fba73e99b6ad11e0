# SPDX-License-Identifier: Apache-2.0
"""The library for Conan 2, from this tree: conan create packaging/conan"""
import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rmdir

required_conan_version = ">=2.0"


class SpvreconvConan(ConanFile):
    name = "spvreconv"
    description = "Structured control flow for SPIR-V: transforms as a C library, with headers for C++"
    license = "Apache-2.0"
    topics = ("spirv", "vulkan", "control-flow", "shaders")
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False]}
    default_options = {"shared": False, "fPIC": True}
    implements = ["auto_shared_fpic"]
    languages = "C"

    def set_version(self):
        header = load(self, os.path.join(self._tree, "passes/include/spvreconv/spvreconv.h"))
        self.version = re.search(r'#define SPVRECONV_VERSION "(.*)"', header).group(1)

    @property
    def _tree(self):
        return os.path.abspath(os.path.join(self.recipe_folder, "../.."))

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "cmake/*", "passes/*", "tools/grammar_table.awk",
                        "packaging/cxx/*", "packaging/spvreconv*.in", "examples/structurize/*"):
            copy(self, pattern, src=self._tree, dst=self.export_sources_folder)

    def requirements(self):
        self.requires("spirv-tools/[>=1.3]")
        self.requires("spirv-headers/[>=1.3]")

    def layout(self):
        cmake_layout(self)

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        tools, headers = self.dependencies["spirv-tools"], self.dependencies["spirv-headers"]
        toolchain.cache_variables.update({
            "SPVRECONV_TOOLS": False,
            "SPVRECONV_LLD": False,
            "SPVRECONV_LIBRARIES": "shared" if self.options.shared else "static",
            "SPVRECONV_SPIRV_TOOLS": "shared" if tools.options.get_safe("shared") else "static",
            "SPIRV_TOOLS_INCLUDE": tools.cpp_info.includedirs[0],
            "SPIRV_HEADERS_INCLUDE": headers.cpp_info.includedirs[0],
            "CMAKE_LIBRARY_PATH": tools.cpp_info.libdirs[0],
            "CMAKE_INSTALL_LIBDIR": "lib",
        })
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE", src=self.source_folder, dst=os.path.join(self.package_folder, "licenses"))
        for folder in ("lib/cmake", "lib/pkgconfig", "share"):
            rmdir(self, os.path.join(self.package_folder, folder))

    def package_info(self):
        self.cpp_info.libs = ["spvreconv"]
        self.cpp_info.set_property("cmake_target_name", "spvreconv::spvreconv")
        self.cpp_info.set_property("pkg_config_name", "spvreconv")
        self.cpp_info.requires = ["spirv-tools::spirv-tools-core", "spirv-headers::spirv-headers"]
        if self.settings.os in ("Linux", "FreeBSD"):
            self.cpp_info.system_libs = ["m"] if self.options.shared else ["m", "stdc++"]
