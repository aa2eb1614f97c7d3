import { type Connection, isGrpcServiceError } from '@temporalio/client'
import type { TemporalDevConfig } from './temporal-dev-config.ts'

type Attributes = TemporalDevConfig['searchAttributes']

/** The wire numbers of `temporal.api.enums.v1.IndexedValueType`. */
const TYPE_NUMBER: Record<Attributes[string], number> = {
  Text: 1,
  Keyword: 2,
  Int: 3,
  Double: 4,
  Bool: 5,
  Datetime: 6,
  KeywordList: 7,
}
const PERMISSION_DENIED = 7
const UNIMPLEMENTED = 12

/**
 * Makes sure that the namespace knows our search attributes, adding those it lacks. Returns null,
 * or, where reading or adding them is not permitted, what an operator has to do, as a sentence with
 * the commands. Throws when the namespace does not answer or an attribute has another type.
 */
export async function ensureSearchAttributes(
  connection: Connection,
  namespace: string,
  wanted: Attributes,
): Promise<string | null> {
  await connection.workflowService.describeNamespace({ namespace })
  try {
    const known = await connection.operatorService.listSearchAttributes({ namespace })
    const missing = missingOf(wanted, known.customAttributes ?? {}, namespace)
    if (missing.length === 0) return null
    await connection.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(missing),
    })
    return null
  } catch (error) {
    const mayNot =
      isGrpcServiceError(error) && [PERMISSION_DENIED, UNIMPLEMENTED].includes(error.code)
    if (!mayNot) throw error
    return (
      `This Temporal does not let us see to the search attributes of namespace ${namespace}. ` +
      `Where they are missing, add them with:\n${createCommands(wanted, namespace)}`
    )
  }
}

function missingOf(
  wanted: Attributes,
  known: Record<string, number | null | undefined>,
  namespace: string,
): [string, number][] {
  return Object.entries(wanted).flatMap(([name, type]) => {
    const number = TYPE_NUMBER[type]
    if (!(name in known)) return [[name, number] as [string, number]]
    if (known[name] === number) return []
    throw new Error(`In namespace ${namespace} the search attribute ${name} is not a ${type}.`)
  })
}

function createCommands(wanted: Attributes, namespace: string): string {
  return Object.entries(wanted)
    .map(([name, type]) => `--name ${name} --type ${type}`)
    .map((flags) => `temporal operator search-attribute create --namespace ${namespace} ${flags}`)
    .join('\n')
}
