import { useTranslation } from 'react-i18next'
import type { ArcView } from '../../src/contracts/arc.ts'
import { useMessages } from '../api/queries.ts'
import { placeOf } from './place.ts'

/** The place of the open question in words: "Question 2 of 3". */
export function QuestionPlace({ arc }: { arc: ArcView }) {
  const { t } = useTranslation()
  const { data: messages = [] } = useMessages(arc.arcId)
  const place = placeOf(arc, messages)
  if (!place) return null
  const { kind, number, total } = place
  if (total === null) return <>{t('place.more', { number })}</>
  return <>{t(`place.${kind}`, { number, total })}</>
}
