import type { CaseFault } from '../../src/domain/answers/program.ts'

/** What may come of a hostile program; `differs` where it finds nothing and says so. */
export type Outcome = CaseFault['kind']

export interface HostileProgram {
  name: string
  program: string
  outcomes: Outcome[]
}

const hostile = (outcomes: Outcome[], programs: Record<string, string>): HostileProgram[] =>
  Object.entries(programs).map(([name, program]) => ({ name, program, outcomes }))

/** One of each kind, for the tests of every day. */
export const DOZEN: HostileProgram[] = [
  ...hostile(['timed-out'], { 'an endless loop': 'while True:\n    pass' }),
  ...hostile(['out-of-memory', 'timed-out'], {
    'a list without end': 'kept = []\nwhile True:\n    kept.append("x" * 100_000)',
  }),
  ...hostile(['refused'], {
    'a file of the host': 'print(open("/etc/passwd").read())',
    'a socket': 'import socket\nsocket.create_connection(("127.0.0.1", 80))',
    'JavaScript by import': 'import js\njs.process.exit()',
    'JavaScript by importlib': 'import importlib\nprint(importlib.import_module("pyodide_js"))',
    'a command': 'import os\nos.system("id")',
    'memory by ctypes': 'import ctypes\nctypes.string_at(0)',
  }),
  ...hostile(['too-much-output'], { 'a print without end': 'while True:\n    print("x" * 1000)' }),
  ...hostile(['too-deep', 'out-of-memory'], {
    'a function that calls itself': 'def f(n):\n    return f(n + 1)\nf(0)',
    'deeper than the stack':
      'import sys\nsys.setrecursionlimit(10**9)\ndef f(n):\n    return f(n + 1)\nf(0)',
  }),
  ...hostile(['out-of-memory', 'error'], {
    'memory of JavaScript':
      'import sys\ncore = sys._getframe(1).f_globals["_pyodide_core"]\nmake = core.to_js(b"abc").constructor\nkept = []\nwhile True:\n    kept.append(make.new(100 * 2**20))\n    kept[-1].fill(1)',
    'memory of JavaScript, piece by piece':
      'import sys\ncore = sys._getframe(1).f_globals["_pyodide_core"]\nkept = core.to_js(["abc" * 100_000] * 1_000)\nwhile True:\n    kept = kept.concat(kept)',
  }),
  ...hostile(['differs'], { 'an early end': 'import sys\nsys.exit(0)' }),
]

const LOOPS = hostile(['timed-out', 'out-of-memory'], {
  'for over a counter': 'import itertools\nfor _ in itertools.count():\n    pass',
  'a loop in C': 'sum(range(10**12))',
  'a power of powers': 'print(9 ** 9 ** 9)',
  'a long product': 'x = 1\nwhile True:\n    x *= 3',
  'a regular expression that backtracks': 'import re\nre.match(r"(a+)+$", "a" * 40 + "b")',
  'a long sleep': 'import time\ntime.sleep(1_000_000)',
  'a comparison without end':
    'class A:\n    def __eq__(self, other):\n        while True:\n            pass\nA() == A()',
  'a hash without end':
    'class A:\n    def __hash__(self):\n        while True:\n            pass\n{A(): 1}',
  'an error that is always caught':
    'while True:\n    try:\n        raise ValueError\n    except BaseException:\n        pass',
  'a flood that is always caught':
    'while True:\n    try:\n        print("x" * 10_000)\n    except BaseException:\n        pass',
  'an end that is not accepted':
    'while True:\n    try:\n        exit()\n    except SystemExit:\n        pass',
  'a generator without end':
    'def g():\n    while True:\n        yield 1\nlist(x for x in g() if x > 1)',
  'a set of primes': 'n = 10**40 + 121\nd = 2\nwhile n % d:\n    d += 1',
  'a string method in C': '("a" * 40_000_000).count("a" * 20_000_000 + "b")',
  'an exception whose text never ends':
    'class E(Exception):\n    def __str__(self):\n        while True:\n            pass\nraise E()',
  'a value whose repr never ends':
    'class A:\n    def __repr__(self):\n        while True:\n            pass\nprint(A())',
  'a finaliser without end':
    'class A:\n    def __del__(self):\n        while True:\n            pass\na = A()\ndel a',
  Ackermann:
    'import sys\nsys.setrecursionlimit(10**4)\ndef a(m, n):\n    return n + 1 if m == 0 else a(m - 1, 1 if n == 0 else a(m, n - 1))\nwhile True:\n    try:\n        a(3, 6)\n    except RecursionError:\n        pass',
})

/** Python knows of some that they are too large for any memory: an error. */
const MEMORY = hostile(['out-of-memory', 'timed-out', 'error'], {
  'a list at once': 'x = [0] * 10**9',
  'a text at once': 'x = "a" * 10**10',
  'bytes at once': 'x = bytearray(10**9)',
  'a wide number': 'print("%1000000000d" % 1)',
  'a wide field': 'print("{:>1000000000}".format(1))',
  'a list that doubles': 'x = [1]\nwhile True:\n    x += x',
  'a text that doubles': 'x = "x"\nwhile True:\n    x += x',
  'a dictionary without end': 'x = {}\nn = 0\nwhile True:\n    x[n] = str(n) * 100\n    n += 1',
  'objects without end':
    'class A:\n    pass\nhead = None\nwhile True:\n    a = A()\n    a.text = "x" * 5000\n    a.next = head\n    head = a',
  'a big range as a list': 'print(len(list(range(10**9))))',
  permutations: 'import itertools\nprint(len(list(itertools.permutations(range(12)))))',
  'a deep list of lists': 'x = []\nfor _ in range(10**8):\n    x = [x, x]',
  'a shift': 'x = 1 << 10**10',
  'a joined text': 'print(len("".join("abc" * 10**8)))',
  'a print of 100 MB': 'print("x" * 100_000_000)',
  'an error that is kept':
    'errors = []\nwhile True:\n    try:\n        [0] * 10**7\n    except MemoryError as error:\n        errors.append(error)',
})

const OUTPUT = hostile(['too-much-output', 'out-of-memory', 'timed-out'], {
  '60 MB of lines': 'for _ in range(600_000):\n    print("x" * 100)',
  'one long line': 'while True:\n    print("x", end="")',
  'written to stdout': 'import sys\nwhile True:\n    sys.stdout.write("x" * 999)',
  'written to stderr': 'import sys\nwhile True:\n    print("x" * 999, file=sys.stderr)',
  'written to the descriptor': 'import os\nwhile True:\n    os.write(1, b"x" * 9999)',
  'questions without end':
    'while True:\n    try:\n        input("x" * 9999)\n    except EOFError:\n        pass',
  'an error with a text of 10 MB': 'print("x" * 10_000_000)',
})

const HOST_FILES = [
  'open("/proc/self/environ").read()',
  'open("/dev/zero").read(10)',
  'open("/etc/passwd", "a").write("me")',
  'open("../../package.json").read()',
  'open("/lib/python3/../../etc/passwd").read()',
  'open("/tmp/x", "w").write("x" * 10**9)',
  '__import__("io").open("/etc/passwd").read()',
  '__import__("_io").FileIO("/etc/passwd").read()',
  '__import__("codecs").open("/etc/passwd").read()',
  '__import__("pathlib").Path("/etc/passwd").read_text()',
  'list(__import__("pathlib").Path("/").iterdir())',
  '__import__("os").listdir("/")',
  '__import__("os").open("/etc/passwd", 0)',
  '__import__("os").remove("/lib/python314.zip")',
  '__import__("os").mkdir("/tmp/me")',
  'list(__import__("os").scandir("/"))',
  '__import__("shutil").rmtree("/")',
  '__import__("tempfile").mkdtemp()',
  '__import__("sqlite3").connect("/tmp/db")',
  '__import__("fileinput").input("/etc/passwd").readline()',
  '__import__("zipfile").ZipFile("/lib/python314.zip", "a")',
  'getattr(__builtins__, "op" + "en")("/etc/passwd").read()',
  '[c for c in ().__class__.__base__.__subclasses__() if c.__name__ == "FileIO"][0]("/etc/passwd").read()',
  'print.__self__.open("/etc/passwd").read()',
  '(lambda: 0).__globals__["__builtins__"].open("/etc/passwd").read()',
  '__import__("pickle").loads(b"cbuiltins\\nopen\\n(S\'/etc/passwd\'\\ntR.").read()',
]

const NETWORK = [
  '__import__("urllib.request").request.urlopen("http://127.0.0.1").read()',
  '__import__("http.client").client.HTTPConnection("127.0.0.1").request("GET", "/")',
  '__import__("_socket").socket().connect(("127.0.0.1", 80))',
  '__import__("ssl").get_server_certificate(("127.0.0.1", 443))',
  '__import__("smtplib").SMTP("127.0.0.1")',
  '__import__("xmlrpc.client").client.ServerProxy("http://127.0.0.1").me()',
  '__import__("asyncio").run(__import__("asyncio").open_connection("127.0.0.1", 80))',
  '__import__("webbrowser").open("http://127.0.0.1")',
]

const PROCESSES = [
  '__import__("subprocess").check_output(["id"])',
  '__import__("os").popen("id").read()',
  '__import__("os").execv("/bin/sh", ["sh"])',
  '__import__("os").posix_spawn("/bin/sh", ["sh"], {})',
  '__import__("pty").spawn("/bin/sh")',
  '__import__("multiprocessing").Process(target=print).start()',
  '__import__("os").kill(__import__("os").getppid(), 9)',
  '__import__("sys").modules["os"].system("id")',
  '[c for c in ().__class__.__base__.__subclasses__() if c.__name__ == "_wrap_close"][0].__init__.__globals__["system"]("id")',
  'eval(compile("__import__(\'os\').system(\'id\')", "x", "eval"))',
]

const HOST = [
  '__import__("pyodide").code.run_js("process.env")',
  '__import__("pyodide_js")._api.loadBinaryFile("/etc/passwd")',
  '__import__("js").document.constructor.constructor("return process")()',
  '__import__("_pyodide_core")',
  '__import__("_pyodide._importhook")',
  '__import__("micropip").install("requests")',
  '__import__("gc").get_objects()',
  '__import__("_ctypes").dlopen("libc.so.6", 0)',
  '__import__("mmap").mmap(-1, 10**9)',
  '__import__("faulthandler")._sigsegv()',
  '(lambda: 0).__code__.replace(co_code=b"d\\xff" * 100)',
  'type((lambda: 0).__code__)(0, 0, 0, 0, 0, 0, b"", (), (), (), "", "", "", 0, b"", b"")',
]

/** Whatever else is tried: it fails, or finds nothing. */
const TRICKS = hostile(
  [
    'refused',
    'error',
    'differs',
    'timed-out',
    'crashed',
    'too-deep',
    'unreadable',
    'no-more-input',
  ],
  {
    'the environment': 'import os\nprint(dict(os.environ))',
    'the finders':
      'import sys\nsys.meta_path.clear()\nimport importlib\nprint(importlib.import_module("js"))',
    'a builtin module by hand':
      'import _imp, importlib.machinery as m\nspec = m.ModuleSpec("_pyodide_core", m.BuiltinImporter)\ncore = _imp.create_builtin(spec)\n_imp.exec_builtin(core)\nprint(core.run_js("process.pid"))',
    'a hook of its own': 'import sys\nsys.addaudithook(lambda *a: 1 / 0)\nprint(1)',
    'the frames of the caller':
      'import sys\nframe = sys._getframe(1)\nwhile frame:\n    print(list(frame.f_locals), frame.f_code.co_filename)\n    frame = frame.f_back',
    "a generator's frame": 'g = (g.gi_frame.f_back.f_back.f_globals for _ in [1])\nprint(list(g))',
    'the traceback':
      'try:\n    1 / 0\nexcept Exception as error:\n    print(error.__traceback__.tb_frame.f_back.f_globals.keys())',
    'a threat to the results': 'import json\njson.JSONEncoder.encode = lambda *a: "{}"\nprint("x")',
    'all builtins':
      'import builtins\nfor name in list(vars(builtins)):\n    delattr(builtins, name)',
    'no modules': 'import sys\nsys.modules.clear()',
    'a print that lies': 'import builtins\nbuiltins.print = lambda *a: None\nprint("safe")',
    'a trace function': 'import sys\nsys.settrace(lambda *a: 1 / 0)\nprint(1)',
    'os._exit': 'import os\nos._exit(0)',
    'os.abort': 'import os\nos.abort()',
    'an exit at the end': 'import atexit\natexit.register(lambda: 1 / 0)',
    'a thread': 'import threading\nthreading.Thread(target=print).start()',
    'a timer': 'import threading\nthreading.Timer(0, print).start()',
    'a signal': 'import signal\nsignal.alarm(1)',
    'the debugger': 'breakpoint()',
    'the help': 'help()',
    'the licence': 'license._Printer__filenames = ["/etc/passwd"]\nlicense()',
    'brackets without end': `print(${'('.repeat(5_000)}${')'.repeat(5_000)})`,
    'a deep expression': `x = ${'-'.repeat(100_000)}1`,
    'a deep evaluation': 'eval("[" * 100_000)',
    'a digit too many': 'print(int("9" * 10**6))',
    'many digits': 'print(10 ** 10**5)',
    'letters that look alike': '𝘪𝘮𝘱𝘰𝘳𝘵 = 1\nprint(ｅval("__import__(\\"os\\").getcwd()"))',
    'the character NUL': 'print("a\0b")',
    'a decorator': '@exec\n@input\nclass X:\n    pass',
    'a format that looks inside': 'print("{0.__class__.__init__.__globals__}".format(print))',
    'an input that is code': 'print(eval(input()))',
    'a class without end':
      'class A(type):\n    def __call__(cls):\n        return cls()\nclass B(metaclass=A):\n    pass\nB()',
    'a result that is a lie': 'print("{\\"verdict\\": \\"passed\\"}")',
    'an error without a name': 'raise type("", (Exception,), {})("")',
    'an error of its own': 'raise BaseException("x" * 10**6)',
    'a keyboard interrupt': 'raise KeyboardInterrupt',
    'stdin as a descriptor': 'print(open(0).read())',
  },
)

const named = (programs: string[], outcomes: Outcome[]) =>
  hostile(outcomes, Object.fromEntries(programs.map((line) => [line, `print(${line})`])))

/** Some by construction, some as they are passed around: lists of ways out of Python's sandboxes, and of Pyodide's. */
export const HUNDRED: HostileProgram[] = [
  ...DOZEN,
  ...LOOPS,
  ...MEMORY,
  ...OUTPUT,
  ...named(HOST_FILES, ['refused', 'error']),
  ...named(NETWORK, ['refused', 'error']),
  ...named(PROCESSES, ['refused', 'error']),
  ...named(HOST, ['refused', 'error']),
  ...TRICKS,
]
