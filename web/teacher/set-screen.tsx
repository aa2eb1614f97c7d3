import { Alert, Button, Group, List, Stack, Table, Text, Textarea, TextInput } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type FormEvent, useDeferredValue, useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { isProblem } from '../../src/client/problem.ts'
import { pupilsQuery, useStoreSet } from '../api/teacher.ts'
import { InlineMarkdown } from '../markdown/markdown.tsx'
import { ProblemAlert } from '../shell/problem-alert.tsx'
import { DeskFrame } from './desk-frame.tsx'
import { GiveDialog } from './give-dialog.tsx'
import { type QuestionLines, readQuestionLines } from './question-lines.ts'
import classes from './teacher.module.css'

const MOST_QUESTIONS = 100
const CONFLICT = 409

/** A question set typed or pasted as lines, looked at before it is stored, and given as practice. */
export function SetScreen() {
  const { t } = useTranslation()
  const navigate = useNavigate()
  const pupils = useQuery(pupilsQuery)
  const [title, setTitle] = useState('')
  const [text, setText] = useState('')
  const [stored, setStored] = useState<string | null>(null)
  const read = useMemo(() => readQuestionLines(text), [text])
  const store = useStoreSet()
  // The same set under the same id changes nothing: pressing again after a lost answer is safe.
  const setId = useRef(`set-${crypto.randomUUID()}`)
  const tooMany = read.problems.length > MOST_QUESTIONS
  const canStore =
    title.trim() !== '' && read.problems.length > 0 && read.faults.length === 0 && !tooMany
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!canStore) return
    const problems = read.problems.map(({ line: _, ...problem }) => problem)
    store.mutate(
      { question_set_id: setId.current, title: title.trim(), problems },
      {
        onSuccess: () => setStored(setId.current),
        onError: (error) => {
          if (isProblem(error) && error.status === CONFLICT) {
            setId.current = `set-${crypto.randomUUID()}`
          }
        },
      },
    )
  }
  return (
    <DeskFrame title={t('desk.newSet')}>
      <form onSubmit={submit}>
        <Stack maw={860}>
          <TextInput
            label={t('desk.setTitle')}
            placeholder={t('desk.setExample')}
            required
            maxLength={200}
            value={title}
            onChange={(event) => setTitle(event.currentTarget.value)}
          />
          <Textarea
            label={t('desk.lines')}
            description={t('desk.linesHelp')}
            placeholder={t('desk.linesExample')}
            autosize
            minRows={6}
            maxRows={18}
            classNames={{ input: classes.lines ?? '' }}
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
          <Faults read={read} />
          {tooMany && (
            <Alert color="red" variant="light">
              {t('desk.tooMany', { count: MOST_QUESTIONS })}
            </Alert>
          )}
          {read.problems.length > 0 && <Preview read={read} />}
          <ProblemAlert error={store.error} />
          <Group>
            <Button type="submit" disabled={!canStore} loading={store.isPending}>
              {t('desk.storeSet', { count: read.problems.length })}
            </Button>
            {!canStore && (text !== '' || title !== '') && (
              <Text size="sm" c="dimmed">
                {t(whyNot(title, read))}
              </Text>
            )}
          </Group>
        </Stack>
      </form>
      {stored !== null && (
        <GiveDialog
          pupils={pupils.data ?? []}
          chosen={[]}
          questionSetId={stored}
          onClose={() => void navigate({ to: '/teaching' })}
        />
      )}
    </DeskFrame>
  )
}

function whyNot(title: string, { problems, faults }: QuestionLines): string {
  if (faults.length > 0) return 'desk.mendFirst'
  if (problems.length === 0) return 'desk.noLines'
  return title.trim() === '' ? 'desk.needsTitle' : 'desk.mendFirst'
}

function Faults({ read: { faults } }: { read: QuestionLines }) {
  const { t } = useTranslation()
  return (
    <div role="status">
      {faults.length > 0 && (
        <Alert color="red" variant="light" title={t('desk.faults', { count: faults.length })}>
          <List size="sm">
            {faults.map(({ line, fault, text }) => (
              <List.Item key={line}>
                {t('desk.line', { line })} {t(`desk.fault.${fault}`)} <q>{text}</q>
              </List.Item>
            ))}
          </List>
        </Alert>
      )}
    </div>
  )
}

function Preview({ read: { problems } }: { read: QuestionLines }) {
  const { t } = useTranslation()
  const shown = useDeferredValue(problems)
  const kinds = useKinds(shown.map(({ correct_answer }) => correct_answer))
  return (
    <Table.ScrollContainer
      minWidth={560}
      scrollAreaProps={{ viewportProps: { tabIndex: 0, 'aria-label': t('desk.preview') } }}
    >
      <Table verticalSpacing="xs">
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('desk.question')}</Table.Th>
            <Table.Th>{t('desk.answer')}</Table.Th>
            <Table.Th>{t('desk.checkedAs')}</Table.Th>
            <Table.Th>{t('desk.hints')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {shown.map((problem) => {
            const kind = kinds.get(problem.correct_answer)
            return (
              <Table.Tr key={problem.line}>
                <Table.Td>
                  <InlineMarkdown text={problem.text} />
                </Table.Td>
                <Table.Td className={classes.words ?? ''}>{problem.correct_answer}</Table.Td>
                <Table.Td>{kind ? t(`desk.kind.${kind}`) : '…'}</Table.Td>
                <Table.Td>{problem.hints.length > 0 ? problem.hints.join(' · ') : '–'}</Table.Td>
              </Table.Tr>
            )
          })}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

/** How each answer will be checked, as the server will read it; empty until the rules have been loaded. */
function useKinds(answers: readonly string[]): ReadonlyMap<string, string> {
  const [keyOf, setKeyOf] = useState<((answer: string) => { type: string }) | null>(null)
  useEffect(() => {
    let isHere = true
    void import('../../src/domain/practice/key-of.ts').then((rules) => {
      if (isHere) setKeyOf(() => rules.keyOf)
    })
    return () => {
      isHere = false
    }
  }, [])
  const key = answers.join('\n')
  return useMemo(
    () => new Map(keyOf ? key.split('\n').map((answer) => [answer, keyOf(answer).type]) : []),
    [key, keyOf],
  )
}
