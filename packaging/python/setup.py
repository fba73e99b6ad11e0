# SPDX-License-Identifier: Apache-2.0
"""Builds the package. Its version and declarations are those of spvreconv.h (declarations.py)."""
import os
import sys

from setuptools import setup

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import declarations  # noqa: E402

setup(
    version=declarations.version(),
    packages=["spvreconv"],
    package_dir={"": "src"},
    cffi_modules=["declarations.py:ffi"],
)
