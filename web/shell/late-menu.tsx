import type { MenuProps } from '@mantine/core'
import type { LucideIcon } from 'lucide-react'
import { type ComponentProps, cloneElement, type ReactElement, useState } from 'react'

export interface MenuEntry {
  name: string
  label: string
  Icon: LucideIcon
  act: () => void
  className?: string | undefined
}

export interface EntryMenuProps extends Omit<MenuProps, 'opened' | 'onChange' | 'children'> {
  button: ReactElement<ComponentProps<'button'>>
  entries: readonly MenuEntry[]
}

type EntryMenu = typeof import('./entry-menu.tsx').EntryMenu

const load = async () => (await import('./entry-menu.tsx')).EntryMenu
const nothing = () => {}

/** A button with a menu, whose code is loaded when a hand or the focus comes to the button. */
export function LateMenu(props: EntryMenuProps) {
  const [Menu, setMenu] = useState<EntryMenu | null>(null)
  if (Menu) return <Menu {...props} />
  const begin = () => void load().catch(nothing)
  return cloneElement(props.button, {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: begin,
    onFocus: begin,
    onClick: () => void load().then((loaded) => setMenu(() => loaded), nothing),
  })
}
