import { isCancel, select, text } from '@clack/prompts'
import type { ArcClient, CourseSummary } from '../client/arc-client.ts'
import { isProblem, Problem } from '../client/problem.ts'
import type { ArcSettings, ArcView } from '../contracts/arc.ts'
import { arcLine } from './arc-text.ts'
import type { Screen } from './screen.ts'
import { oneLine } from './terminal-text.ts'

export interface Wish {
  topic: string | null
  isNew: boolean
  goal: string | null
  level: ArcSettings['level'] | null
}

export interface Chosen {
  arcId: string
  isNew: boolean
}

const isOpen = ({ phase }: ArcView): boolean => phase !== 'COMPLETED' && phase !== 'ABANDONED'
const plain = (topic: string): string => oneLine(topic).normalize('NFKC').toLowerCase()

/**
 * The newest open arc of the wished topic, or a new one; without a topic the learner is asked. Null if they leave.
 * @throws {Problem} with the courses in its words, where no course covers the topic and no model is connected
 */
export async function chooseArc(
  client: ArcClient,
  screen: Screen,
  wish: Wish,
): Promise<Chosen | null> {
  const open = wish.isNew ? [] : (await client.arcs('me')).filter(isOpen)
  const topic = wish.topic ?? (await askForTopic(client, screen, open))
  if (topic === null) return null
  if (typeof topic !== 'string') return { arcId: topic.arcId, isNew: false }
  const known = open.find((arc) => plain(arc.topic) === plain(topic))
  if (known) {
    if (wish.goal || wish.level) {
      screen.print(
        'The goal and the level are those this topic was begun with; --new begins again.',
      )
    }
    return { arcId: known.arcId, isNew: false }
  }
  return { arcId: await beginArc(client, topic, wish), isNew: true }
}

async function beginArc(client: ArcClient, topic: string, { goal, level }: Wish): Promise<string> {
  try {
    const { arcId } = await client.begin({
      topic,
      ...(goal ? { goal } : {}),
      ...(level ? { settings: { level } } : {}),
    })
    return arcId
  } catch (error) {
    if (!isProblem(error) || error.status !== 422) throw error
    const courses = (await client.courses()).map(courseLine)
    const isUncovered = error.message.includes('no installed course covers')
    if (!isUncovered) throw error
    throw new Problem(error.status, {
      title: error.title,
      detail:
        `No language model is connected, and no installed course covers “${oneLine(topic)}”. ` +
        `These can be learned offline:\n\n${courses.join('\n')}\n\n` +
        'For any other topic, set ANTHROPIC_API_KEY (see README.md).',
    })
  }
}

const courseLine = ({ title, description = '' }: CourseSummary): string =>
  `  ${oneLine(title)}: ${oneLine(description)}`

async function askForTopic(
  client: ArcClient,
  screen: Screen,
  open: ArcView[],
): Promise<ArcView | string | null> {
  const courses = (await client.courses()).map(({ title }) => oneLine(title))
  screen.quiet()
  return screen.isInteractive ? askInTerminal(open, courses) : askInPipe(screen, open, courses)
}

async function askInTerminal(open: ArcView[], courses: string[]): Promise<ArcView | string | null> {
  if (open.length > 0) {
    const chosen = await select<ArcView | 'new'>({
      message: 'What shall we go on with?',
      options: [
        ...open.map((arc) => ({ value: arc, label: oneLine(arc.topic), hint: arcLine(arc) })),
        { value: 'new', label: 'Something new …' },
      ],
      maxItems: 10,
    })
    if (isCancel(chosen)) return null
    if (chosen !== 'new') return chosen
  }
  const topic = await text({
    message: 'What would you like to learn?',
    placeholder: courses.length > 0 ? `for example: ${courses.join(', ')}` : '',
    validate: (given) => (given?.trim() ? undefined : 'Name a topic, or leave with Ctrl-C.'),
  })
  return isCancel(topic) ? null : topic
}

/** The first line is the number of an arc in the list, or a topic. */
async function askInPipe(
  screen: Screen,
  open: ArcView[],
  courses: string[],
): Promise<ArcView | string | null> {
  const list = open.map((arc, i) => `  ${i + 1}) ${oneLine(arc.topic)} (${arcLine(arc)})`)
  const question =
    open.length > 0
      ? `What shall we go on with? A number, or a new topic.\n\n${list.join('\n')}`
      : `What would you like to learn? For example: ${courses.join(', ')}.`
  screen.print(question)
  const line = await nextLine(screen)
  if (!line?.trim()) return null
  return open[Number(line.trim()) - 1] ?? line.trim()
}

function nextLine(screen: Screen): Promise<string | null> {
  return new Promise((resolve) => {
    const look = () => {
      const line = screen.takeLine()
      if (line !== undefined || screen.hasEnded()) resolve(line ?? null)
    }
    screen.onInput(look)
    look()
  })
}
