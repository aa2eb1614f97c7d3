import { type Connection, isGrpcServiceError } from '@temporalio/client'
import type { TemporalDevConfig } from './temporal-dev-config.ts'

type Attributes = TemporalDevConfig['searchAttributes']
type Service = Pick<Connection, 'workflowService' | 'operatorService'>

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
const INVALID_ARGUMENT = 3
const PERMISSION_DENIED = 7
const UNIMPLEMENTED = 12

/**
 * Makes sure that the namespace knows our search attributes, adding those it lacks. Returns null,
 * or, where adding them is not permitted, what an operator has to do, as a sentence with the
 * commands. Throws when the namespace does not answer or an attribute has another type.
 */
export async function ensureSearchAttributes(
  service: Service,
  namespace: string,
  wanted: Attributes,
): Promise<string | null> {
  await service.workflowService.describeNamespace({ namespace })
  const lacked = await lackedSearchAttributes(service, namespace, wanted)
  if (lacked.length === 0) return null
  try {
    await service.operatorService.addSearchAttributes({
      namespace,
      searchAttributes: Object.fromEntries(lacked.map((name) => [name, numberOf(wanted, name)])),
    })
    return null
  } catch (error) {
    if (!mayNot(error)) throw error
    return (
      `Meno may not add search attributes to namespace ${namespace} of this Temporal, and arcs cannot ` +
      `run without them. Add them with:\n${createCommands(wanted, lacked, namespace)}`
    )
  }
}

/**
 * The names of those of our search attributes that the namespace does not know. Where it may not be
 * asked for its list, a query on each tells. Throws when one has another type.
 */
export async function lackedSearchAttributes(
  { workflowService, operatorService }: Service,
  namespace: string,
  wanted: Attributes,
): Promise<string[]> {
  const names = Object.keys(wanted)
  try {
    const { customAttributes } = await operatorService.listSearchAttributes({ namespace })
    const known = customAttributes ?? {}
    const other = names.find((name) => name in known && known[name] !== numberOf(wanted, name))
    if (!other) return names.filter((name) => !(name in known))
    throw new Error(
      `In namespace ${namespace} the search attribute ${other} is not a ${wanted[other]}.`,
    )
  } catch (error) {
    if (!mayNot(error)) throw error
  }
  const isKnown = (name: string) =>
    workflowService
      .listWorkflowExecutions({ namespace, pageSize: 1, query: `${name} IS NULL` })
      .then(() => true)
      .catch((error) => {
        if (isGrpcServiceError(error) && error.code === INVALID_ARGUMENT) return false
        throw error
      })
  const known = await Promise.all(names.map(isKnown))
  return names.filter((_, index) => !known[index])
}

const numberOf = (wanted: Attributes, name: string): number => TYPE_NUMBER[wanted[name] ?? 'Text']

const mayNot = (error: unknown): boolean =>
  isGrpcServiceError(error) && [PERMISSION_DENIED, UNIMPLEMENTED].includes(error.code)

function createCommands(wanted: Attributes, names: string[], namespace: string): string {
  return names
    .map((name) => `--name ${name} --type ${wanted[name]}`)
    .map((flags) => `temporal operator search-attribute create --namespace ${namespace} ${flags}`)
    .join('\n')
}
