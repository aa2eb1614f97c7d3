import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router'
import type { ArcSearch } from './api/operator.ts'
import { prefetchArc } from './api/queries.ts'
import { queryClient } from './api/query-client.ts'
import { arcSearchOf } from './arc/use-opened-by-link.ts'
import { expectFormulas, Renderer } from './markdown/late-parts.tsx'
import { Broken } from './shell/broken.tsx'
import { NotFound } from './shell/not-found.tsx'
import { Shell } from './shell/shell.tsx'

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })

const home = createRoute({
  getParentRoute: () => root,
  path: '/',
  component: lazyRouteComponent(() => import('./today/today-screen.tsx'), 'TodayScreen'),
})

/** What is there so soon is shown at once, without a screen that waits. */
const AT_ONCE_MS = 800

const pause = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms))

/** Reads a topic, and fetches what draws its texts and sets their formulas. */
async function readTopic(arcId: string): Promise<void> {
  const [texts] = await Promise.all([prefetchArc(queryClient, arcId), Renderer.begin()])
  await expectFormulas(texts.join('\n'))
}

const arc = createRoute({
  getParentRoute: () => root,
  path: '/arcs/$arcId',
  validateSearch: arcSearchOf,
  loader: ({ params }) => Promise.race([readTopic(params.arcId), pause(AT_ONCE_MS)]),
  component: lazyRouteComponent(() => import('./arc/arc-screen.tsx'), 'ArcScreen'),
})

const practice = createRoute({
  getParentRoute: () => root,
  path: '/arcs/$arcId/practice/$sessionId',
  component: lazyRouteComponent(() => import('./practice/practice-screen.tsx'), 'PracticeScreen'),
})

const loadTutor = lazyRouteComponent(() => import('./tutor/tutor-screen.tsx'), 'TutorScreen')
const tutor = createRoute({ getParentRoute: () => root, path: '/tutor', component: loadTutor })
const tutorThread = createRoute({
  getParentRoute: () => root,
  path: '/tutor/$threadId',
  component: loadTutor,
})

const teacher = createRoute({
  getParentRoute: () => root,
  path: '/teaching',
  component: lazyRouteComponent(() => import('./teacher/teacher-screen.tsx'), 'TeacherScreen'),
})

const me = createRoute({
  getParentRoute: () => root,
  path: '/me',
  component: lazyRouteComponent(() => import('./me/me-screen.tsx'), 'MeScreen'),
})

const settings = createRoute({
  getParentRoute: () => root,
  path: '/settings',
  component: lazyRouteComponent(() => import('./me/settings-screen.tsx'), 'SettingsScreen'),
})

const classOf = createRoute({
  getParentRoute: () => root,
  path: '/teaching/classes/$classId',
  component: lazyRouteComponent(() => import('./teacher/class-screen.tsx'), 'ClassScreen'),
})

const pupil = createRoute({
  getParentRoute: () => root,
  path: '/teaching/pupils/$pupilId',
  component: lazyRouteComponent(() => import('./teacher/pupil-screen.tsx'), 'PupilScreen'),
})

const session = createRoute({
  getParentRoute: () => root,
  path: '/teaching/sessions/$sessionId',
  component: lazyRouteComponent(() => import('./teacher/session-screen.tsx'), 'SessionScreen'),
})

const newSet = createRoute({
  getParentRoute: () => root,
  path: '/teaching/sets/new',
  component: lazyRouteComponent(() => import('./teacher/set-screen.tsx'), 'SetScreen'),
})

const operator = createRoute({
  getParentRoute: () => root,
  path: '/operating',
  validateSearch: (search: Record<string, unknown>): ArcSearch => ({
    phase: wordOf(search.phase),
    held: wordOf(search.held),
    search: wordOf(search.search),
  }),
  component: lazyRouteComponent(() => import('./operator/operator-screen.tsx'), 'OperatorScreen'),
})

const wordOf = (value: unknown): string | undefined =>
  value === undefined || value === '' ? undefined : String(value)

export const router = createRouter({
  routeTree: root.addChildren([
    home,
    me,
    settings,
    arc,
    practice,
    tutor,
    tutorThread,
    teacher,
    classOf,
    pupil,
    session,
    newSet,
    operator,
  ]),
  defaultPreload: 'intent',
  defaultErrorComponent: Broken,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
