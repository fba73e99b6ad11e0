# SPDX-License-Identifier: Apache-2.0
"""The transforms: the C library, by cffi. spvreconv.h describes its options and figures; they have the same names here."""
import ctypes.util
import os
import shutil
import subprocess

from . import words
from ._declarations import ffi
from .records import record, text


def _load():
    named = os.environ.get("LIBSPVRECONV")
    names = [named] if named else ["libspvreconv.so.0", ctypes.util.find_library("spvreconv") or "spvreconv"]
    for name in names:
        try:
            return ffi.dlopen(name)
        except OSError as error:
            reason = error
    raise ImportError(f"libspvreconv: {reason}; install it, or set LIBSPVRECONV to its path")


_lib = _load()
_STATUS = {
    getattr(_lib, "SPVRECONV_" + name): name for name in ("OK", "BAD_INPUT", "BAD_OPTION", "BUG", "OUT_OF_MEMORY")
}


class Error(Exception):
    """A run failed. `status` is "BAD_INPUT", "BAD_OPTION", "BUG" or "OUT_OF_MEMORY"; `result` has the findings that
    there are all the same, or is None."""

    def __init__(self, status, message, result=None):
        super().__init__(message)
        self.status = status
        self.result = result


class Result:
    """What a run leaves. In a notebook, a result with want=["cfg_dot"] shows its graph if Graphviz is installed."""

    def __init__(self, pointer, notices):
        self._pointer = ffi.gc(pointer, _lib.spvreconv_result_destroy)
        self.notices = notices
        self.status = _STATUS[_lib.spvreconv_result_status(pointer)]
        self.message = text(_lib.spvreconv_result_message(pointer))
        self.changed = _lib.spvreconv_result_changed(pointer)
        self.needs_structure = _lib.spvreconv_result_needs_structure(pointer)
        self.check = record(_lib.spvreconv_result_check(pointer))
        """The coverage of want=["check"], else None."""

    @property
    def module(self):
        """The output as bytes; None if the run failed or wrote none."""
        count = ffi.new("size_t *")
        start = _lib.spvreconv_result_words(self._pointer, count)
        return None if start == ffi.NULL else bytes(ffi.buffer(start, 4 * count[0]))

    def _all(self, get):
        found = []
        while get(self._pointer, len(found)) != ffi.NULL:
            found.append(record(get(self._pointer, len(found))))
        return found

    @property
    def functions(self):
        """Figures of each function, with want=["stats"]."""
        return self._all(_lib.spvreconv_result_function)

    @property
    def passes(self):
        return self._all(_lib.spvreconv_result_pass)

    @property
    def repairs(self):
        return self._all(_lib.spvreconv_result_repair)

    @property
    def violations(self):
        return self._all(_lib.spvreconv_result_violation)

    @property
    def findings(self):
        return self._all(_lib.spvreconv_result_finding)

    @property
    def frontiers(self):
        """With want=["frontier"]."""
        return self._all(_lib.spvreconv_result_frontier)

    @property
    def kernels(self):
        """Those that kernel-to-shader converted, with how the host passes their arguments."""
        return self._all(_lib.spvreconv_result_kernel)

    @property
    def samplers(self):
        return self._all(_lib.spvreconv_result_sampler)

    def text(self, want):
        """The text that one of `want` asked for ("assembly", "cfg_dot", "wave", "uniformity", …), or None."""
        return text(_lib.spvreconv_result_text(self._pointer, _bits([want])))

    def _repr_svg_(self):
        graph = self.text("cfg_dot")
        if not graph or not shutil.which("dot"):
            return None
        return subprocess.run(["dot", "-Tsvg"], input=graph, capture_output=True, text=True, check=True).stdout


def _bits(want):
    bits = 0
    for name in want:
        try:
            bits |= getattr(_lib, "SPVRECONV_WANT_" + name.upper())
        except AttributeError:
            raise TypeError(f"want: there is no '{name}'") from None
    return bits


def _is_value(kind):
    """Is it a number, a truth value, an enumerator or a string?"""
    return kind.kind in ("primitive", "enum") or kind.cname == "char *"


def _fill(options, values):
    """Sets fields of the C struct; the list that it returns keeps the strings alive."""
    kept = []
    fields = dict(ffi.typeof(options).item.fields)
    known = [name for name, field in fields.items() if _is_value(field.type) and name not in ("size", "want")]
    for name, value in values.items():
        if name not in known:
            raise TypeError(f"there is no option '{name}'; there are {', '.join(known)}")
        if value is None:
            continue
        if name == "validate":
            value = getattr(_lib, "SPVRECONV_VALIDATE_" + value.upper())
        elif isinstance(value, str):
            value = ffi.new("char[]", value.encode())
            kept.append(value)
        setattr(options, name, value)
    return kept


def _call(function, values, want, *modules):
    """Calls spvreconv_run or one like it; raises Error unless it succeeds."""
    options = ffi.new("spvreconv_options *")
    _lib.spvreconv_options_init(options, ffi.sizeof("spvreconv_options"))
    kept = _fill(options, values)
    options.want = _bits(want)
    notices = []
    notice = ffi.callback("void(void *, const char *)", lambda _, line: notices.append(text(line)))
    options.message = notice
    out = ffi.new("spvreconv_result **")
    status = function(options, *[part for module in modules for part in module], out)
    del kept
    if out[0] == ffi.NULL:
        raise Error(_STATUS[status], "out of memory")
    result = Result(out[0], notices)
    if status != _lib.SPVRECONV_OK:
        raise Error(result.status, result.message, result)
    return result


def _binary(data):
    """The words of a binary and their number."""
    if len(data) % 4:
        raise Error("BAD_INPUT", f"a module consists of words of four bytes; this has {len(data)} bytes")
    return ffi.from_buffer("uint32_t[]", data, require_writable=False), len(data) // 4


def run(module, transform="auto", *, want=(), **options):
    """Runs a comma list of transforms. `want`: names of what else to compute, as in SPVRECONV_WANT_STATS in lower case:
    "stats", "check", "cost", "assembly", "cfg_dot", … `options`: fields of spvreconv_options, such as structure="any",
    order="lrpo", target_env="vulkan1.3", validate="none". Returns a Result."""
    data = words.read(module)
    values = dict(options, transform=transform)
    if isinstance(data, str):
        source = data.encode()
        return _call(_lib.spvreconv_run_text, values, want, (source, len(source)))
    return _call(_lib.spvreconv_run, values, want, _binary(data))


def explain(module, portable=False, **options):
    """The violations of the rules of structured control flow, as a list; empty if the module is structured."""
    return run(module, want=["explain_portable" if portable else "explain"], **options).violations


def lint(module, **options):
    """Barriers, derivatives and operations of quads and subgroups under control that may diverge, as a list."""
    return run(module, want=["lint"], **options).findings


def compare(before, after, **options):
    """Compares two binaries without running either; raises Error if they differ. Returns the coverage."""
    return _call(_lib.spvreconv_compare, options, (), _binary(words.read(before)), _binary(words.read(after))).check


def transforms():
    """What `transform` may list: purposes by name."""
    name, purpose = ffi.new("const char **"), ffi.new("const char **")
    found = {}
    while _lib.spvreconv_transform_info(len(found), name, purpose):
        found[text(name[0])] = text(purpose[0])
    return found


def version():
    return text(_lib.spvreconv_version_string())
