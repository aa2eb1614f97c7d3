import { useTranslation } from 'react-i18next'
import type { MindMapView } from '../../src/contracts/arc.ts'
import { conceptsAround } from './around.ts'
import type { Concept } from './concept.ts'
import { ConceptButton } from './concept-button.tsx'
import classes from './mind-map.module.css'

interface Props {
  map: MindMapView
  concepts: Concept[]
  onOpen: (id: string) => void
}

/** Of the map the concept in hand with what it needs above it and what it opens below. */
export function SmallMap({ map, concepts, onOpen }: Props) {
  const around = conceptsAround(map, concepts)
  if (!around) return null
  const rows = [around.before, [around.centre], around.after].filter((row) => row.length > 0)
  return (
    <div className={classes.around}>
      {rows.map((row, index) => (
        <div key={row[0]?.id} className={classes.part}>
          {index > 0 && <Links from={rows[index - 1] ?? []} to={row} />}
          <div className={classes.beside}>
            {row.map((concept) => (
              <ConceptButton key={concept.id} concept={concept} onOpen={onOpen} />
            ))}
          </div>
        </div>
      ))}
    </div>
  )
}

/** Where the one of a row stands, in percent of its width. */
const placeOf = (row: readonly Concept[], index: number) => ((index + 0.5) / row.length) * 100

/** Lines from each concept of a row to each of the row below: of two neighbouring rows one is the concept in hand. */
function Links({ from, to }: { from: readonly Concept[]; to: readonly Concept[] }) {
  const { t } = useTranslation()
  const links = from.flatMap((one, i) => to.map((other, j) => ({ one, other, i, j })))
  return (
    <div className={classes.links}>
      {links.map(({ one, other, i, j }) => {
        const [a, b] = [placeOf(from, i), placeOf(to, j)]
        return (
          <svg
            key={`${one.id} ${other.id}`}
            viewBox="0 0 100 100"
            preserveAspectRatio="none"
            role="img"
            aria-label={t('map.edge', { from: one.label, to: other.label })}
            data-path={(one.isOnPath && other.isOnPath) || undefined}
          >
            <path d={`M ${a} 0 C ${a} 50 ${b} 50 ${b} 100`} />
          </svg>
        )
      })}
      {to.map((concept, index) => (
        <span
          key={concept.id}
          className={classes.arrow}
          data-path={(concept.isOnPath && from.some(({ isOnPath }) => isOnPath)) || undefined}
          style={{ left: `${placeOf(to, index)}%` }}
        />
      ))}
    </div>
  )
}
