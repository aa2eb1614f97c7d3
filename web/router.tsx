import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
} from '@tanstack/react-router'
import { prefetchArc } from './api/queries.ts'
import { queryClient } from './api/query-client.ts'
import { HomeScreen } from './home/home-screen.tsx'
import { Broken } from './shell/broken.tsx'
import { NotFound } from './shell/not-found.tsx'
import { Shell } from './shell/shell.tsx'

const root = createRootRoute({ component: Shell, notFoundComponent: NotFound })

const home = createRoute({ getParentRoute: () => root, path: '/', component: HomeScreen })

const arc = createRoute({
  getParentRoute: () => root,
  path: '/arcs/$arcId',
  loader: ({ params }) => prefetchArc(queryClient, params.arcId),
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

export const router = createRouter({
  routeTree: root.addChildren([home, arc, practice, tutor, tutorThread, teacher]),
  defaultPreload: 'intent',
  defaultErrorComponent: Broken,
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
