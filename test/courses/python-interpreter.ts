import { loadPyodide } from 'pyodide'

/** A program to run: `stdin` is what is typed, `after` an expression to look at when it has ended. */
export interface Run {
  code: string
  stdin?: string
  after?: string
}

/** What a program did: what it printed, the error it stopped with, the text of `after`'s value. */
export interface Ran {
  out: string
  error: string | null
  line: number | null
  after: string | null
}

/** A call of a function that `code` defines; the arguments and what it returned are JSON. */
export interface Call {
  code: string
  name: string
  args: unknown[]
}

export interface Called {
  out: string
  error: string | null
  value: unknown
}

const DRIVER = `
import io, json, sys

def perform(code, stdin, finish):
    out, old = io.StringIO(), (sys.stdout, sys.stdin)
    sys.stdout, sys.stdin = out, io.StringIO(stdin)
    space, value, error, line = {'__name__': '__main__'}, None, None, None
    def read(prompt=''):
        text = sys.stdin.readline()
        if text == '':
            raise EOFError
        return text.rstrip('\\n')
    space['input'] = read
    try:
        exec(compile(code, 'program', 'exec'), space)
        value = finish(space)
    except SyntaxError as fault:
        error, line = type(fault).__name__, fault.lineno
    except Exception as fault:
        error, trace = type(fault).__name__, fault.__traceback__
        while trace:
            if trace.tb_frame.f_code.co_filename == 'program':
                line = line or trace.tb_lineno
            trace = trace.tb_next
    finally:
        sys.stdout, sys.stdin = old
    return out.getvalue(), error, line, value

def run_all(tasks):
    done = []
    for task in json.loads(tasks):
        after = task.get('after')
        finish = lambda space: None if after is None else str(eval(after, space))
        out, error, line, value = perform(task['code'], task.get('stdin', ''), finish)
        done.append({'out': out, 'error': error, 'line': line, 'after': value})
    return json.dumps(done)

def call_all(tasks):
    done = []
    for task in json.loads(tasks):
        finish = lambda space: json.loads(json.dumps(space[task['name']](*task['args'])))
        out, error, line, value = perform(task['code'], '', finish)
        done.append({'out': out, 'error': error, 'value': value})
    return json.dumps(done)
`

/** CPython in WebAssembly: runs many programs in one go, each with names of its own. */
export async function loadPython() {
  const python = await loadPyodide()
  python.runPython(DRIVER)
  const calling = (name: string) => python.globals.get(name) as (tasks: string) => string
  const [runAll, callAll] = [calling('run_all'), calling('call_all')]
  return {
    run: (tasks: Run[]) => JSON.parse(runAll(JSON.stringify(tasks))) as Ran[],
    call: (tasks: Call[]) => JSON.parse(callAll(JSON.stringify(tasks))) as Called[],
  }
}
