"""Runs a learner's program inside the interpreter: what it reads, prints and returns, and how it fails.

Defined once, before the interpreter's memory is kept. `seal` is called when an interpreter starts, `run_case` for every
case. The program may change whatever it finds; so all that is used after it has run is bound here by name.
"""

import builtins
import io
import json
import sys

# Loaded before the memory is kept, so that programs which use them start at once.
import bisect, collections, copy, dataclasses, datetime, decimal, enum, fractions, functools, heapq, itertools, math
import operator, random, re, statistics, string, textwrap, time, typing

MOST_OUTPUT = 64 * 1024
MOST_MESSAGE = 300
FILE = "program.py"

REFUSED_MODULES = {
    "network": "socket _socket ssl _ssl select selectors socketserver http urllib.request urllib.error ftplib smtplib "
    "poplib imaplib xmlrpc webbrowser asyncio nntplib telnetlib wsgiref requests aiohttp",
    "processes": "subprocess _posixsubprocess multiprocessing _multiprocessing concurrent pty signal _signal",
    "host": "js pyodide _pyodide _pyodide_core pyodide_js micropip pyodide_http ctypes _ctypes cffi mmap resource fcntl "
    "termios tty gc faulthandler _testcapi _testinternalcapi _testlimitedcapi _interpreters _xxsubinterpreters "
    "_emscripten_system _opcode inspect_js pdb bdb code codeop",
    "files": "shutil tempfile sqlite3 dbm shelve",
}
REFUSED = {name: what for what, names in REFUSED_MODULES.items() for name in names.split()}

REFUSED_EVENTS = (
    ("network", ("socket.", "urllib.", "http.", "ftplib.", "smtplib.", "poplib.", "imaplib.", "webbrowser.")),
    ("processes", ("os.system", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "os.kill", "subprocess.", "pty.")),
    ("host", ("ctypes.", "gc.", "mmap.", "sys.addaudithook", "code.__new__", "sys.remote_exec", "cpython.run_")),
    (
        "files",
        ("os.listdir", "os.scandir", "os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.chdir", "os.chmod", "os.chown")
        + ("os.link", "os.symlink", "os.truncate", "os.utime", "os.walk", "shutil.", "tempfile.", "sqlite3.", "glob."),
    ),
)
# Where the standard library is read from.
LIBRARY = "/lib/python3"


class Refused(PermissionError):
    """The program asked for something that there is not here."""

    def __init__(self, what, name):
        super().__init__(f"{name} is not available here")
        self.what = what
        self.name = name


class Flood(BaseException):
    """The program printed more than is kept."""


class Output(io.TextIOBase):
    """Keeps what is printed, up to a limit."""

    def __init__(self):
        self.parts = []
        self.size = 0
        self.flooded = False

    def writable(self):
        return True

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError(f"write() argument must be str, not {type(text).__name__}")
        self.size += len(text)
        if self.size > MOST_OUTPUT:
            self.flooded = True
            raise Flood()
        self.parts.append(text)
        return len(text)


def refused_import(name):
    parts = name.split(".")
    for length in range(1, len(parts) + 1):
        what = REFUSED.get(".".join(parts[:length]))
        if what:
            return what
    return None


class Gate:
    """Stands before all finders, also for those who import by other ways than a statement."""

    def find_spec(self, name, path=None, target=None):
        what = refused_import(name)
        if what:
            raise Refused("import", name)
        return None


def is_library(path, mode, flags):
    if isinstance(path, bytes):
        path = path.decode("utf-8", "replace")
    if not isinstance(path, str) or not path.startswith(LIBRARY) or ".." in path:
        return False
    reads = isinstance(mode, str) and not set(mode) & set("wax+")
    return reads or (mode is None and isinstance(flags, int) and flags & 3 == 0)


def watch(event, args):
    if event == "import":
        what = refused_import(str(args[0]))
        if what:
            raise Refused("import", str(args[0]))
        return
    if event == "open":
        if not is_library(*args):
            raise Refused("files", "open")
        return
    for what, prefixes in REFUSED_EVENTS:
        if event.startswith(prefixes):
            if event in ("os.listdir", "os.scandir") and str(args[0]).startswith(LIBRARY):
                return
            raise Refused(what, event)


def seal():
    """Takes away what leads out of the interpreter, for good."""
    for name in list(sys.modules):
        if refused_import(name):
            del sys.modules[name]
    sys.meta_path[:] = [Gate()] + [
        finder for finder in sys.meta_path if "pyodide" not in getattr(type(finder), "__module__", "") or isinstance(finder, type)
        and "pyodide" not in finder.__module__
    ]
    sys.path[:] = [path for path in sys.path if path.startswith("/lib/python3")]
    for name in ("breakpoint", "help", "copyright", "credits", "license"):
        builtins.__dict__.pop(name, None)
    sys.addaudithook(watch)


def line_of(error):
    """The last line of the program itself that the error came through."""
    line = None
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename == FILE:
            line = trace.tb_lineno
        trace = trace.tb_next
    return line


def told(error):
    try:
        message = str(error)
    except BaseException:
        message = ""
    return message[:MOST_MESSAGE]


def fault_of(error, flooded):
    line = line_of(error)
    if flooded or isinstance(error, Flood):
        return {"kind": "too-much-output", "line": line}
    if isinstance(error, Refused):
        return {"kind": "refused", "what": error.what, "name": error.name[:MOST_MESSAGE], "line": line}
    if isinstance(error, MemoryError):
        return {"kind": "out-of-memory", "line": line}
    if isinstance(error, RecursionError):
        return {"kind": "too-deep", "line": line}
    if isinstance(error, EOFError):
        return {"kind": "no-more-input", "line": line}
    return {"kind": "error", "name": type(error).__name__[:100], "message": told(error), "line": line}


def unreadable(error):
    line = getattr(error, "lineno", None)
    message = getattr(error, "msg", None) or told(error)
    return json_text({"fault": {"kind": "unreadable", "message": str(message)[:MOST_MESSAGE], "line": line}})


json_text = json.JSONEncoder().encode
value_text = json.JSONEncoder(allow_nan=False).encode
parse = json.loads


def run_case(source, function, given):
    """One case in a namespace of its own. `function` is empty for a program that reads `given` as its input; else it is
    called with the arguments that `given` holds as JSON. Answers in JSON: `printed`, `prompts` with what `input` was
    asked with, `value`; or `fault`."""
    try:
        code = compile(source, FILE, "exec", dont_inherit=True)
    except (SyntaxError, ValueError, OverflowError) as error:
        return unreadable(error)
    except MemoryError:
        return unreadable(SyntaxError("it is nested too deeply"))
    except RecursionError:
        return unreadable(SyntaxError("it is nested too deeply"))
    printed, with_prompts, errors = Output(), Output(), Output()

    class Both(io.TextIOBase):
        def writable(self):
            return True

        def write(self, text):
            with_prompts.write(text)
            return printed.write(text)

    lines = io.StringIO("" if function else given)

    def read(prompt="", /):
        with_prompts.write(str(prompt))
        line = sys.stdin.readline()
        if not line:
            raise EOFError("EOF when reading a line")
        return line[:-1] if line.endswith("\n") else line

    builtins.input = read
    sys.stdin, sys.stdout, sys.stderr = lines, Both(), errors
    sys.argv = [FILE]
    namespace = {"__name__": "__main__", "__builtins__": builtins, "__file__": FILE}
    answer = {}
    try:
        try:
            exec(code, namespace)
        except SystemExit:
            if function:
                raise
        if function:
            called = namespace.get(function)
            if not callable(called):
                return json_text({"fault": {"kind": "missing-function", "line": None}})
            value = called(*parse(given))
            try:
                answer["value"] = value_text(value)
            except (TypeError, ValueError, RecursionError):
                answer["value"] = None
                answer["strange"] = told(repr(value)) or type(value).__name__
    except BaseException as error:
        flooded = printed.flooded or with_prompts.flooded or errors.flooded
        fault = fault_of(error, flooded)
        return json_text({"fault": fault})
    answer["printed"] = "".join(printed.parts)
    answer["prompted"] = "".join(with_prompts.parts)
    return json_text(answer)
