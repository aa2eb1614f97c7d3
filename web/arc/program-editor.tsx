import { indentWithTab } from '@codemirror/commands'
import { python } from '@codemirror/lang-python'
import { indentUnit } from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { keymap } from '@codemirror/view'
import { basicSetup, EditorView } from 'codemirror'
import { useEffect, useRef } from 'react'

interface Props {
  starter: string
  label: string
  describedBy: string
  onChange: (program: string) => void
  /** Asked for by the keyboard: Ctrl or Cmd with Enter. */
  onRun: () => void
}

const theme = EditorView.theme({
  '&': { fontSize: '14px', color: 'var(--mantine-color-text)', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'var(--mantine-font-family-monospace)', maxHeight: '50vh' },
  '.cm-content': { minHeight: '9em', caretColor: 'var(--mantine-color-text)' },
  '.cm-cursor': { borderLeftColor: 'var(--mantine-color-text)' },
  '.cm-gutters': {
    color: 'var(--mantine-color-dimmed)',
    backgroundColor: 'transparent',
    borderRight: '1px solid var(--meno-line)',
  },
  '.cm-activeLine, .cm-activeLineGutter': { backgroundColor: 'var(--meno-sunken)' },
})

/** Where a Python program is written. Tab indents; after Escape it leaves the editor. */
export default function ProgramEditor({ starter, label, describedBy, onChange, onRun }: Props) {
  const place = useRef<HTMLDivElement>(null)
  const heard = useRef({ onChange, onRun })
  heard.current = { onChange, onRun }
  useEffect(() => {
    const parent = place.current
    if (!parent) return
    const run = () => {
      heard.current.onRun()
      return true
    }
    const view = new EditorView({
      parent,
      state: EditorState.create({
        doc: starter,
        extensions: [
          keymap.of([{ key: 'Mod-Enter', run }, indentWithTab]),
          basicSetup,
          python(),
          indentUnit.of('    '),
          EditorView.lineWrapping,
          theme,
          EditorView.contentAttributes.of({ 'aria-label': label, 'aria-describedby': describedBy }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) heard.current.onChange(state.doc.toString())
          }),
        ],
      }),
    })
    return () => view.destroy()
  }, [starter, label, describedBy])
  return <div ref={place} />
}
