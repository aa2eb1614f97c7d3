import { Button, Group, Loader, Table, Text, Textarea } from '@mantine/core'
import { Play } from 'lucide-react'
import { lazy, type ReactNode, useEffect, useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { PendingQuestion } from '../../src/contracts/arc.ts'
import { keepDraft, readDraft } from '../device/use-kept-text.ts'
import { OptionalPart } from '../shell/optional-part.tsx'
import classes from './question-panel.module.css'
import type { Words } from './use-outbox.ts'

// It is larger than the rest of the page, and most questions need none.
const loadEditor = () => lazy(() => import('./program-editor.tsx'))

interface Props {
  question: PendingQuestion
  program: NonNullable<PendingQuestion['program']>
  isBusy: boolean
  onSend: (words: Words) => void
  /** What one may do instead. */
  children: ReactNode
}

/** As Markdown, so that the conversation shows it as it was written. */
const fenced = (program: string) => `\`\`\`python\n${program.trimEnd()}\n\`\`\``

/** A program as the answer: what it is tried with, an editor, and a button that sends it to be run. */
export function ProgramAnswer({ question, program, isBusy, onSend, children }: Props) {
  const { t } = useTranslation()
  const note = useId()
  const { starter = '', examples } = program
  // By the question's text, not its id: it is there again when the question is put once more.
  const key = `program/${question.text}`
  const [begun, setBegun] = useState<string | null>(null)
  const [text, setText] = useState('')
  useEffect(() => {
    void readDraft(key).then((kept) => {
      setBegun(kept || starter)
      setText(kept || starter)
    })
  }, [key, starter])
  const change = (next: string) => {
    setText(next)
    void keepDraft(key, next)
  }
  const isEmpty = text.trim() === ''
  const run = () => {
    if (!isEmpty && !isBusy) onSend({ text: fenced(text), questionId: question.id })
  }
  return (
    <>
      <Table.ScrollContainer minWidth={0} mt="sm" type="native">
        <Table withTableBorder verticalSpacing={4}>
          <Table.Thead>
            <Table.Tr>
              <Table.Th>{t('program.input')}</Table.Th>
              <Table.Th>{t('program.output')}</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {examples.map(({ input, output }) => (
              <Table.Tr key={input}>
                <Table.Td className={classes.example ?? ''}>{input}</Table.Td>
                <Table.Td className={classes.example ?? ''}>{output}</Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      <div className={classes.editor}>
        {begun !== null && (
          <OptionalPart
            load={loadEditor}
            props={{
              starter: begun,
              label: t('program.editor'),
              describedBy: note,
              onChange: change,
              onRun: run,
            }}
            missing={t('program.missing')}
            waiting={<Loader size="sm" m="md" role="status" aria-label={t('program.loading')} />}
            instead={
              <Textarea
                w="100%"
                autosize
                minRows={6}
                aria-label={t('program.editor')}
                classNames={{ input: classes.plainEditor ?? '' }}
                value={text}
                onChange={(event) => {
                  change(event.currentTarget.value)
                  // The editor begins with it, when it comes after all.
                  setBegun(event.currentTarget.value)
                }}
              />
            }
          />
        )}
      </div>
      <Text id={note} size="xs" c="dimmed" mt={4}>
        {t('program.keys')}
      </Text>
      <Group gap={6} mt="md">
        <Button
          mr={6}
          leftSection={<Play size={15} aria-hidden />}
          disabled={isEmpty || isBusy}
          onClick={run}
        >
          {t('program.run')}
        </Button>
        {children}
      </Group>
    </>
  )
}
