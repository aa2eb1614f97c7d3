import { Button } from '@mantine/core'
import { ChevronDown, Lightbulb } from 'lucide-react'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ClientEvent, TutorCard } from '../../src/contracts/course-tutor.ts'
import { Markdown } from '../markdown/markdown.tsx'
import classes from './card.module.css'
import { type CardContext, CardFrame } from './card-frame.tsx'
import { latexText } from './latex-text.ts'

export type Concept = Extract<TutorCard, { type: 'CONCEPT' }>

interface Props {
  card: Concept
  context: CardContext
  isLast: boolean
  onEvent: (event: ClientEvent) => void
  onFollowUp: () => void
}

/** Key ideas, with a worked example for those who open it. Seed 004 PV-AI-020. */
export function ConceptCard({ card, context, isLast, onEvent, onFollowUp }: Props) {
  const { t } = useTranslation()
  const { unitId, keyIdeas, workedExample } = card
  return (
    <CardFrame
      kind="concept"
      title={
        <>
          <Lightbulb size={16} aria-hidden /> {t('card.keyIdea')}
        </>
      }
      unit={context.titles.get(unitId) ?? unitId}
      actions={
        isLast && (
          <>
            <Button variant="default" onClick={onFollowUp}>
              {t('card.followUp')}
            </Button>
            <Button
              disabled={context.isBusy}
              onClick={() => onEvent({ type: 'REQUEST_DRILL', unitId })}
            >
              {t('card.tryDrill')}
            </Button>
          </>
        )
      }
    >
      <ul className={classes.ideas}>
        {keyIdeas.map((idea) => (
          <li key={idea}>
            <Markdown text={idea} />
          </li>
        ))}
      </ul>
      {workedExample && <WorkedExample example={workedExample} />}
    </CardFrame>
  )
}

function WorkedExample({ example }: { example: NonNullable<Concept['workedExample']> }) {
  const { t } = useTranslation()
  const [isOpen, setIsOpen] = useState(false)
  const content = useId()
  const lines = [example.problemLatex, ...(example.stepsLatex ?? []), example.finalAnswerLatex]
  return (
    <>
      <Button
        variant="subtle"
        size="compact-sm"
        ml={-8}
        mt={4}
        aria-expanded={isOpen}
        aria-controls={content}
        rightSection={
          <ChevronDown size={15} aria-hidden className={isOpen ? classes.turned : undefined} />
        }
        onClick={() => setIsOpen(!isOpen)}
      >
        {t('card.example')}
      </Button>
      <div id={content} hidden={!isOpen} className={classes.example}>
        <Markdown text={lines.map(latexText).join('\n\n')} />
      </div>
    </>
  )
}
