import { Menu } from '@mantine/core'
import { cloneElement, useEffect, useState } from 'react'
import type { EntryMenuProps } from './late-menu.tsx'

/** A menu that opens as it comes: it is shown in place of a button that was pressed. */
export function EntryMenu({ button, entries, ...frame }: EntryMenuProps) {
  const [isOpen, setIsOpen] = useState(false)
  // After the button has the focus, so that the menu knows where to give it back.
  useEffect(() => setIsOpen(true), [])
  return (
    <Menu withinPortal {...frame} opened={isOpen} onChange={setIsOpen}>
      <Menu.Target>{cloneElement(button, { autoFocus: true })}</Menu.Target>
      <Menu.Dropdown>
        {entries.map(({ name, label, Icon, act, className }) => (
          <Menu.Item
            key={name}
            leftSection={<Icon size={16} aria-hidden />}
            onClick={act}
            {...(className ? { className } : {})}
          >
            {label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
