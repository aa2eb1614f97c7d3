import { ActionIcon, Group, useMantineColorScheme } from '@mantine/core'
import { Link, Outlet, useLocation } from '@tanstack/react-router'
import { Monitor, Moon, Settings, Sun } from 'lucide-react'
import { useEffect, useRef } from 'react'
import { useTranslation } from 'react-i18next'
import { useDesks } from './desks.tsx'
import { Logo } from './logo.tsx'
import classes from './shell.module.css'
import tip from './tip.module.css'
import { useLanguage, useTimeZone } from './use-settings.ts'

/** The screens a person can go to; each further screen is one more entry. */
const SCREENS = [
  { to: '/', label: 'nav.learn' },
  { to: '/me', label: 'nav.me' },
  { to: '/tutor', label: 'nav.tutor' },
] as const

/** Those of whoever teaches others or looks after this Meno. */
const DESKS = [
  { to: '/teaching', label: 'nav.teacher' },
  { to: '/operating', label: 'operator.nav' },
] as const

/** The frame of every screen: skip link, header, navigation and the main landmark. */
export function Shell() {
  const { t } = useTranslation()
  const main = useRef<HTMLElement>(null)
  useLanguage()
  useTimeZone()
  const { pathname } = useLocation()
  const before = useRef(pathname)
  const { isShown } = useDesks()
  useEffect(() => {
    if (before.current !== pathname) main.current?.focus({ preventScroll: true })
    before.current = pathname
  }, [pathname])
  return (
    <div className={classes.shell}>
      <a className={classes.skip} href="#main">
        {t('nav.skip')}
      </a>
      <header className={classes.header} data-desks={isShown || undefined}>
        <Link to="/" className={classes.brand} aria-label={t('nav.home')}>
          <Logo />
          <span>Meno</span>
        </Link>
        <nav aria-label={t('nav.label')} className={classes.nav}>
          {[...SCREENS, ...(isShown ? DESKS : [])].map(({ to, label }) => (
            <Link
              key={to}
              to={to}
              className={classes.link ?? ''}
              activeOptions={{ exact: to === '/' }}
              activeProps={{ 'data-active': true }}
            >
              {t(label)}
            </Link>
          ))}
        </nav>
        <Group gap={2} ml="auto" wrap="nowrap" className={classes.tools ?? ''}>
          <ActionIcon
            component={Link}
            to="/settings"
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={t('nav.settings')}
            className={`${classes.tool} ${tip.tip}`}
          >
            <Settings size={18} aria-hidden />
          </ActionIcon>
          <ColorSchemeButton />
        </Group>
      </header>
      <main id="main" ref={main} tabIndex={-1} className={classes.main}>
        <Outlet />
        {/* Menus and dialogs are drawn here: all that a page has stands in a landmark. */}
        <div data-mantine-shared-portal-node="true" />
      </main>
    </div>
  )
}

const NEXT = { auto: 'light', light: 'dark', dark: 'auto' } as const
const ICONS = { auto: Monitor, light: Sun, dark: Moon }

function ColorSchemeButton() {
  const { t } = useTranslation()
  const { colorScheme, setColorScheme } = useMantineColorScheme()
  const Icon = ICONS[colorScheme]
  const label = t(`scheme.${colorScheme}`)
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={label}
      className={`${classes.tool} ${tip.tip} ${classes.scheme}`}
      onClick={() => setColorScheme(NEXT[colorScheme])}
    >
      <Icon size={18} aria-hidden />
    </ActionIcon>
  )
}
