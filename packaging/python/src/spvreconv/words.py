# SPDX-License-Identifier: Apache-2.0
"""What a caller may give as a module."""
import os

MAGIC = (b"\x03\x02\x23\x07", b"\x07\x23\x02\x03")


def read(module):
    """The module as bytes if it is a binary, as str if it is assembly text."""
    if isinstance(module, str):
        return module
    if isinstance(module, os.PathLike):
        with open(module, "rb") as file:
            module = file.read()
        return module if module[:4] in MAGIC else module.decode()
    return memoryview(module).cast("B").tobytes()
