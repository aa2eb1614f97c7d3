import { Button } from '@mantine/core'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Markdown } from '../markdown/markdown.tsx'
import { dateAndTime } from '../shell/time.ts'
import classes from './transcript.module.css'

export interface Said {
  id: string
  from: 'pupil' | 'tutor'
  text: string
  at: string | null
  /** Beside the words: what it counted as, the question it answers. */
  note?: string
}

const SHOWN = 60

/** What was said, the pupil's own words beside the tutor's; nothing can be answered here. */
export function Transcript({ items, name }: { items: readonly Said[]; name: string }) {
  const { t, i18n } = useTranslation()
  const [shown, setShown] = useState(SHOWN)
  const hidden = items.length - shown
  return (
    <div>
      {hidden > 0 && (
        <Button size="compact-sm" variant="default" mb="sm" onClick={() => setShown(shown + 200)}>
          {t('desk.earlier', { count: hidden })}
        </Button>
      )}
      <ol className={classes.transcript}>
        {items.slice(Math.max(0, hidden)).map(({ id, from, text, at, note }) => (
          <li key={id} data-from={from} className={classes.said}>
            <span className={classes.who}>
              {from === 'pupil' ? name : t('desk.tutor')}
              {at && ` · ${dateAndTime(Date.parse(at), i18n.language)}`}
              {note && ` · ${note}`}
            </span>
            {from === 'pupil' ? <p className={classes.words}>{text}</p> : <Markdown text={text} />}
          </li>
        ))}
      </ol>
    </div>
  )
}
