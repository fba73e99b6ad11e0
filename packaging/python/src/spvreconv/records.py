# SPDX-License-Identifier: Apache-2.0
"""Structs of the library as Python objects. The fields are those that the header declares, so that a new one needs no
change here."""
from types import SimpleNamespace

from ._declarations import ffi

# Arrays by the name of the field that has their length.
_LENGTHS = {
    "order": "order_count",
    "tried": "tried_count",
    "entries": "entry_count",
    "reasons": "reason_count",
    "waiting": "waiting_count",
    "checks": "check_count",
    "arguments": "argument_count",
}


def record(struct):
    """A pointer to a struct, with all that it points to, as a namespace; None if it is NULL."""
    if struct == ffi.NULL:
        return None
    fields = dict(ffi.typeof(struct).item.fields)
    lengths = {name: length for name, length in _LENGTHS.items() if length in fields and name in fields}
    values = {}
    for name, field in fields.items():
        value = getattr(struct, name)
        if name in lengths:
            values[name] = _elements(value, getattr(struct, lengths[name]))
        elif name not in lengths.values():
            values[name] = _value(field.type, value)
    return SimpleNamespace(**values)


def _elements(pointer, count):
    if ffi.typeof(pointer).item.kind == "struct":
        return [record(pointer + i) for i in range(count)]
    return [pointer[i] for i in range(count)]


def _value(kind, value):
    if kind.kind == "array":
        return list(value)
    if kind.kind != "pointer":
        return value
    return text(value) if kind.item.cname == "char" else record(value)


def text(pointer):
    """A string of C; None if it is NULL."""
    return None if pointer == ffi.NULL else ffi.string(pointer).decode("utf-8", "replace")
