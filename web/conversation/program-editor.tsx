import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { python } from '@codemirror/lang-python'
import {
  bracketMatching,
  HighlightStyle,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language'
import { EditorState } from '@codemirror/state'
import { EditorView, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
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
  '.cm-activeLine': { backgroundColor: 'transparent' },
  '&.cm-focused .cm-activeLine': { backgroundColor: 'var(--meno-sunken)' },
})

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword], color: 'light-dark(#7a1fa2, #d6a4f0)' },
  { tag: [tags.string, tags.special(tags.string)], color: 'light-dark(#a31515, #f0a58e)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'light-dark(#0b6640, #9bd8b0)' },
  { tag: tags.comment, color: 'light-dark(#5b6270, #a0a7b5)', fontStyle: 'italic' },
  { tag: tags.function(tags.definition(tags.variableName)), color: 'light-dark(#1d4ed8, #9cc2ff)' },
])

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
          keymap.of([...defaultKeymap, ...historyKeymap]),
          history(),
          lineNumbers(),
          indentOnInput(),
          bracketMatching(),
          highlightActiveLine(),
          syntaxHighlighting(colours),
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
