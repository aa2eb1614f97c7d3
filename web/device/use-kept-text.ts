import { useCallback, useEffect, useRef, useState } from 'react'
import { deviceDatabase } from './database.ts'

/**
 * A text that is kept on this device while it is written, under a key: it is there again after a reload, on another day,
 * and in another window. Where the key changes while something is written, what is written goes with it.
 */
export function useKeptText(key: string): [text: string, change: (text: string) => void] {
  const [text, setText] = useState('')
  const latest = useRef({ key, text: '' })

  const change = useCallback((next: string) => {
    latest.current.text = next
    setText(next)
    void keepDraft(latest.current.key, next)
  }, [])

  useEffect(() => {
    const { key: before, text: written } = latest.current
    latest.current.key = key
    if (before !== key && written !== '') {
      void keepDraft(before, '')
      void keepDraft(key, written)
      return
    }
    void readDraft(key).then((kept) => {
      // What was typed meanwhile wins.
      if (latest.current.key !== key || latest.current.text !== '' || kept === '') return
      latest.current.text = kept
      setText(kept)
    })
  }, [key])
  return [text, change]
}

/** What was written under the key; empty where nothing was, or the browser keeps nothing. */
export async function readDraft(key: string): Promise<string> {
  try {
    return (await (await deviceDatabase()).get('drafts', key)) ?? ''
  } catch {
    return ''
  }
}

/** Keeps what is written under a key; an empty text is forgotten. */
export async function keepDraft(key: string, text: string): Promise<void> {
  try {
    const transaction = (await deviceDatabase()).transaction('drafts', 'readwrite')
    const { store } = transaction
    const written = text === '' ? store.delete(key) : store.put(text, key)
    // At once, not when the browser next has time: the window may be closing.
    transaction.commit()
    await Promise.all([written, transaction.done])
  } catch {
    // A browser that keeps nothing: the text lives as long as the window.
  }
}
