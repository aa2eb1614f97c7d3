import { TriangleAlert } from 'lucide-react'
import { useTranslation } from 'react-i18next'
import type { ClassGrid, ConceptStanding } from '../../src/contracts/teaching.ts'
import mastery from '../mind-map/mastery.module.css'
import classes from './class-grid.module.css'
import { PupilLink } from './links.tsx'
import { NeedText } from './need-text.tsx'

/** Pupils × concepts as a table: each standing in words and a colour, who needs help first at the top. */
export function ClassTable({ grid }: { grid: ClassGrid }) {
  const { t } = useTranslation()
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: whoever has no mouse scrolls the table by keys
    <section className={classes.scroll} tabIndex={0} aria-label={t('desk.gridLabel')}>
      <table className={classes.table}>
        <thead>
          <tr>
            <th scope="col" className={classes.pupil}>
              {t('teacher.student')}
            </th>
            <th scope="col" className={classes.need}>
              {t('desk.help')}
            </th>
            {grid.concepts.map(({ id, label }) => (
              <th scope="col" key={id} className={classes.concept}>
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {grid.pupils.map((pupil) => (
            <tr key={pupil.id}>
              <th scope="row" className={classes.pupil}>
                <PupilLink id={pupil.id}>{pupil.name}</PupilLink>
              </th>
              <td className={classes.need}>
                <NeedText of={pupil} />
              </td>
              {pupil.standings.map((standing, index) => (
                <Cell key={grid.concepts[index]?.id} of={standing} />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  )
}

function Cell({ of }: { of: ConceptStanding | null }) {
  const { t } = useTranslation()
  if (!of) {
    return (
      <td className={classes.none}>
        <span aria-hidden>–</span>
        <span className={classes.hidden}>{t('desk.notInMap')}</span>
      </td>
    )
  }
  const { status, isStruggling, score } = of
  const isMeasured = status !== 'unseen' && status !== 'diagnosed'
  return (
    <td
      className={`${mastery.mastery} ${classes.standing}`}
      data-status={status}
      data-struggling={isStruggling || undefined}
    >
      {t(`mastery.${status}`)}
      {isMeasured && <span className={classes.score}>{Math.round(score * 100)}%</span>}
      {isStruggling && (
        <span className={classes.struggles}>
          <TriangleAlert size={12} aria-hidden /> {t('desk.struggles')}
        </span>
      )}
    </td>
  )
}
