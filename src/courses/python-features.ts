import { parser } from '@lezer/python'

type Node = ReturnType<typeof parser.parse>['topNode']

/** What a program is made of: each feature with the first line that shows it, and where it does not parse. */
export interface ProgramParts {
  features: Map<string, number>
  faults: number[]
}

/**
 * The features of Python that a program uses, by the names under which a unit `teaches` them: see
 * `docs/courses.md`. Functions that come with Python are written `len()`, methods `.append()`.
 */
export function programParts(code: string): ProgramParts {
  const features = new Map<string, number>()
  const faults: number[] = []
  const own = namesGiven(code)
  parser.parse(code).iterate({
    enter: ({ node, type, from }) => {
      const line = code.slice(0, from).split('\n').length
      if (type.isError) faults.push(line)
      for (const feature of featuresOf(node, code, own)) {
        if (!features.has(feature)) features.set(feature, line)
      }
    },
  })
  return { features, faults: [...new Set(faults)] }
}

const BY_NODE: Record<string, string> = {
  AssignStatement: 'assignment',
  UpdateStatement: 'augmented_assignment',
  IfStatement: 'if',
  ForStatement: 'for',
  WhileStatement: 'while',
  BreakStatement: 'break',
  ContinueStatement: 'continue',
  PassStatement: 'pass',
  FunctionDefinition: 'def',
  ReturnStatement: 'return',
  TryStatement: 'try',
  RaiseStatement: 'raise',
  DeleteStatement: 'del',
  ScopeStatement: 'global',
  WithStatement: 'with',
  ImportStatement: 'import',
  ClassDefinition: 'class',
  AssertStatement: 'assert',
  MatchStatement: 'match',
  YieldStatement: 'yield',
  DecoratedStatement: 'decorator',
  LambdaExpression: 'lambda',
  NamedExpression: 'walrus',
  ConditionalExpression: 'conditional_expression',
  ArrayExpression: 'list',
  ArrayComprehensionExpression: 'list_comprehension',
  TupleExpression: 'tuple',
  DictionaryExpression: 'dict',
  DictionaryComprehensionExpression: 'dict_comprehension',
  SetExpression: 'set',
  SetComprehensionExpression: 'set_comprehension',
  ComprehensionExpression: 'generator',
  FormatString: 'f_string',
  Boolean: 'bool',
  None: 'none',
  CompareOp: 'comparison',
  TypeDef: 'annotation',
  finally: 'finally',
  is: 'is',
}

const OPERATORS: Record<string, string> = {
  '+': 'arithmetic',
  '-': 'arithmetic',
  '*': 'arithmetic',
  '/': 'division',
  '//': 'floor_division',
  '%': 'modulo',
  '**': 'power',
}

const BUILT_IN = new Set(
  [
    'abs all any bool chr dict divmod enumerate filter float format input int isinstance len list map',
    'max min open ord pow print range repr reversed round set sorted str sum tuple type zip',
  ]
    .join(' ')
    .split(' '),
)

function featuresOf(node: Node, code: string, own: ReadonlySet<string>): string[] {
  const found = BY_NODE[node.name]
  return [...(found === undefined ? [] : [found]), ...finerFeatures(node, code, own)]
}

function finerFeatures(node: Node, code: string, own: ReadonlySet<string>): string[] {
  const text = code.slice(node.from, node.to)
  switch (node.name) {
    case 'AssignStatement':
      return targetsOf(node, 'AssignOp').length > 1 ? ['unpacking'] : []
    case 'ForStatement':
      return targetsOf(node, 'in').length > 1 ? ['loop_unpacking'] : []
    case 'ReturnStatement':
      return childNames(node).includes(',') ? ['tuple'] : []
    case 'ParamList':
      return childNames(node).includes('AssignOp') ? ['default_value'] : []
    case 'ArgList':
      return [
        ...(childNames(node).includes('AssignOp') ? ['keyword_argument'] : []),
        ...(childNames(node).includes('for') ? ['generator'] : []),
      ]
    case 'MemberExpression':
      if (!childNames(node).includes('[')) return []
      return childNames(node).includes(':') ? ['slice'] : ['index']
    case 'PropertyName':
      return [`.${text}()`]
    case 'ArithOp':
      return [OPERATORS[text] ?? 'bit_operator']
    case 'UpdateOp':
      return [OPERATORS[text.slice(0, -1)] ?? 'bit_operator']
    case 'and':
    case 'or':
      return ['logic']
    case 'not':
      return [node.nextSibling?.name === 'in' ? 'membership' : 'logic']
    case 'in':
      return node.parent?.name === 'BinaryExpression' ? ['membership'] : []
    case 'Number':
      return /[.e]/i.test(text) ? ['float'] : []
    case 'VariableName':
      return BUILT_IN.has(text) && !own.has(text) && !isKeyword(node) ? [`${text}()`] : []
    default:
      return []
  }
}

/** The nodes between the keyword of a statement, if any, and the sign before its right side. */
function targetsOf(node: Node, end: string): string[] {
  const names = childNames(node)
  const before = names.slice(0, names.indexOf(end))
  return before
    .flatMap((name) => (name === 'TupleExpression' ? [',', name] : [name]))
    .filter((name) => name !== 'for' && name !== 'TypeDef')
}

/** Whether a name is that of a parameter in a call: `sep` in `print(x, sep="")`. */
function isKeyword(node: Node): boolean {
  return node.parent?.name === 'ArgList' && node.nextSibling?.name === 'AssignOp'
}

function childNames(node: Node): string[] {
  const names: string[] = []
  for (let child = node.firstChild; child; child = child.nextSibling) names.push(child.name)
  return names
}

/** The names a program gives itself, which hide those that come with Python. */
function namesGiven(code: string): Set<string> {
  const given = code.matchAll(/^\s*(?:def\s+(\w+)|(\w+)\s*=(?!=))/gm)
  return new Set([...given].map(([, defined, assigned]) => defined ?? assigned ?? ''))
}
