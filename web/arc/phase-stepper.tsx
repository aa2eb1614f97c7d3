import { ArrowLeftRight, Check, ChevronRight } from 'lucide-react'
import { Fragment } from 'react'
import { useTranslation } from 'react-i18next'
import type { ArcPhase, ArcView } from '../../src/contracts/arc.ts'
import classes from './phase-stepper.module.css'

const STEPS = ['DIAGNOSING', 'PLANNING', 'TEACHING', 'QUIZZING', 'REVIEWING', 'COMPLETED'] as const

/** The phases of an arc in their order; teaching and quizzing take turns. */
export function PhaseStepper({ arc }: { arc: ArcView }) {
  const { t } = useTranslation()
  const current = STEPS.indexOf(currentStep(arc.phase))
  return (
    <ol className={classes.steps} aria-label={t('arc.phases')}>
      {STEPS.map((step, index) => {
        const state = isSkipped(step, index < current, arc)
          ? 'skipped'
          : stateOf(index, current, arc.phase)
        return (
          <Fragment key={step}>
            <li
              className={classes.step}
              data-state={state}
              aria-current={state === 'current' ? 'step' : undefined}
            >
              {state === 'done' && <Check size={13} strokeWidth={3} aria-hidden />}
              <span>{t(`phase.${step}`)}</span>
              {state === 'done' && <span className={classes.hidden}>{t('arc.phaseDone')}</span>}
              {state === 'skipped' && (
                <span className={classes.hidden}>{t('arc.phaseSkipped')}</span>
              )}
              {state === 'current' && arc.subPhase && step === 'TEACHING' && (
                <span className={classes.sub}>{t(`subPhase.${arc.subPhase}`)}</span>
              )}
            </li>
            {index < STEPS.length - 1 && <Link isTurns={step === 'TEACHING'} />}
          </Fragment>
        )
      })}
    </ol>
  )
}

function Link({ isTurns }: { isTurns: boolean }) {
  const Icon = isTurns ? ArrowLeftRight : ChevronRight
  return (
    <li className={classes.link} aria-hidden>
      <Icon size={14} />
    </li>
  )
}

function currentStep(phase: ArcPhase): (typeof STEPS)[number] {
  if (phase === 'PENDING') return 'DIAGNOSING'
  return phase === 'ABANDONED' ? 'COMPLETED' : phase
}

/** What is behind the learner and was not done: a level check in which nothing was asked, reviews that mastered nothing. */
function isSkipped(step: (typeof STEPS)[number], isBehind: boolean, arc: ArcView): boolean {
  if (!isBehind) return false
  if (step === 'DIAGNOSING') return arc.diagnosticResults.length === 0
  return step === 'REVIEWING' && arc.mastery.mastered === 0
}

function stateOf(index: number, current: number, phase: ArcPhase): string {
  if (phase === 'ABANDONED') return 'open'
  if (index < current || phase === 'COMPLETED') return index === current ? 'current' : 'done'
  return index === current ? 'current' : 'open'
}
