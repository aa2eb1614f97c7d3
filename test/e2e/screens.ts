import type { Page } from '@playwright/test'
import type { TFunction } from 'i18next'
import type { Screen } from './screen-checks.ts'

/** Waits until nothing is being loaded. */
async function settle(page: Page): Promise<void> {
  await page
    .locator('.mantine-Skeleton-root, [aria-busy="true"], [class*="_waiting_"]')
    .first()
    .waitFor({ state: 'detached' })
  await page.evaluate('document.fonts.ready.then(() => true)')
}

const button = (page: Page, name: string) =>
  page.getByRole('button', { name, exact: true }).filter({ visible: true }).first()

/** A screen that is there once its address is open and `seen` is on it. */
function at(
  name: string,
  path: string | (() => string),
  seen: (page: Page, t: TFunction) => Promise<unknown>,
  leave: Screen['leave'] = [],
  refused?: number,
): Screen {
  return {
    name,
    leave,
    refused,
    async open(page, t) {
      await page.goto(typeof path === 'string' ? path : path())
      await seen(page, t)
      await settle(page)
    },
  }
}

/** The screen, and what was opened on it. */
function then(
  screen: Screen,
  name: string,
  act: (page: Page, t: TFunction) => Promise<unknown>,
  leave: Screen['leave'] = [],
  refused?: number,
): Screen {
  return {
    name: `${screen.name}, ${name}`,
    leave,
    refused,
    async open(page, t) {
      await screen.open(page, t)
      await act(page, t)
      await settle(page)
    },
  }
}

const heading = (page: Page, name?: string) =>
  page
    .getByRole('heading', { level: 1, ...(name ? { name } : {}) })
    .first()
    .waitFor()

const dialog = (page: Page) => page.getByRole('dialog').filter({ visible: true }).waitFor()

/** The first screen of who has learned nothing yet. */
export function emptyScreens(): Screen[] {
  const empty = at('nothing learned', '/', (page, t) => heading(page, t('home.title')), [
    'home.start',
  ])
  return [
    empty,
    then(
      empty,
      'with a plan and more options',
      async (page, t) => {
        await page.getByRole('textbox', { name: t('home.topic') }).fill('linear equations')
        await page.getByText(t('plan.show')).click()
        await page.getByRole('button', { name: t('home.advanced') }).click()
        await page.getByText(t('home.skipDiagnosis')).waitFor()
      },
      ['home.start'],
    ),
    then(
      empty,
      'with a topic that cannot be taught',
      async (page, t) => {
        await page.getByRole('textbox', { name: t('home.topic') }).fill('the history of weaving')
        await page.keyboard.press('Enter')
        await page.getByRole('alert').waitFor()
      },
      ['home.start'],
      422,
    ),
    at('my page, new', '/me', (page) => heading(page)),
    at('course tutor, new', '/tutor', (page, t) => page.getByText(t('tutor.start')).waitFor(), [
      'tutor.start',
    ]),
    at('teaching, new', '/teaching', (page, t) => button(page, t('desk.newClass')).waitFor()),
    at('operating, new', '/operating', (page) => heading(page)),
  ]
}

export function todayScreens(name: string): Screen[] {
  const today = at(
    'today',
    '/',
    (page, t) => page.getByRole('button', { name: t('today.practise') }).waitFor(),
    ['today.start'],
  )
  const menu = then(
    today,
    'menu of a topic',
    (page, t) =>
      page
        .getByRole('button', { name: t('topics.menu', { topic: name }) })
        .click()
        .then(() => page.getByRole('menu').waitFor()),
    ['topics.archive', 'topics.keepFresh', 'topics.reopen', 'topics.endWhenMastered'],
  )
  return [
    today,
    then(
      today,
      'practice',
      async (page, t) => {
        await page.getByRole('button', { name: t('today.practise') }).click()
        await page.getByRole('button', { name: t('today.practiceStart') }).waitFor()
      },
      ['today.start', 'today.practiceStart'],
    ),
    then(
      today,
      'a topic twice',
      async (page, t) => {
        await page.getByRole('textbox', { name: t('home.topic') }).fill('linear equations')
        await page.keyboard.press('Enter')
        await page.getByRole('alert').waitFor()
      },
      ['home.again', 'today.start'],
    ),
    menu,
    then(menu, 'renaming', async (page, t) => {
      await page.getByRole('menuitem', { name: t('topics.rename') }).click()
      await dialog(page)
    }),
    at('nothing here', '/nowhere', (page, t) => heading(page, t('notFound.title'))),
  ]
}

export function meScreens(): Screen[] {
  const me = at(
    'my page',
    '/me',
    (page, t) => page.getByText(t('memory.title')).first().waitFor(),
    [/^(Delete|Correct)/],
  )
  const settings = at(
    'settings',
    '/settings',
    (page, t) => button(page, t('settings.save')).waitFor(),
    // A browser without a profile has no push.
    [/Telegram/, 'channels.ask.push'],
  )
  return [
    me,
    then(
      me,
      'correcting',
      async (page) => {
        await page.locator('li').getByRole('button').first().click()
        await page.getByRole('textbox').first().waitFor()
      },
      [/^Delete/],
    ),
    settings,
  ]
}

export interface Arcs {
  level: string
  lesson: string
  quiz: string
  wrong: string
  review: string
  paused: string
  closed: string
  completed: string
}

/** What is said to the tutor, or changes how the topic stands. */
const SAID = [
  ...['action.show', 'action.skip', 'action.dont_know', 'action.explain', 'action.example'],
  ...['action.practice', 'action.skipDiagnosis', 'action.contest', 'action.skip_concept'],
  ...['paused.resume', 'progress.reviewNow', 'ended.keepFresh', 'ended.goOn', 'question.answer'],
  ...['composer.send', 'composer.sendAnswer', 'action.know_this', 'program.run'],
]
const HINT = /^(Hint|Tipp)/

const asked = (page: Page) => page.getByTestId('question').waitFor()

const topic = (
  arcs: Arcs,
  state: keyof Arcs,
  seen: (page: Page, t: TFunction) => Promise<unknown> = asked,
) => at(`topic, ${state}`, () => `/arcs/${arcs[state]}`, seen, [...SAID, HINT])

/** A topic in every state. */
export function stateScreens(arcs: Arcs): Screen[] {
  return [
    topic(arcs, 'level'),
    topic(arcs, 'lesson'),
    topic(arcs, 'quiz'),
    topic(arcs, 'wrong'),
    topic(arcs, 'review'),
    topic(arcs, 'paused', (page, t) => page.getByText(t('paused.text')).waitFor()),
    topic(arcs, 'closed', (page, t) => button(page, t('ended.goOn')).waitFor()),
    topic(arcs, 'completed', (page, t) => button(page, t('ended.keepFresh')).waitFor()),
    at(
      'no such topic',
      '/arcs/0b6f3c5e-3f0f-4a39-9d54-4a4f0f6d2a11',
      (page, t) => heading(page, t('notFound.title')),
      [],
      404,
    ),
  ]
}

/** The menus of a topic and the dialogs behind them. */
export function menuScreens(arcs: Arcs): Screen[] {
  const lesson = topic(arcs, 'lesson')
  const menu = then(
    lesson,
    'menu',
    async (page, t) => {
      await button(page, t('menu.label')).click()
      await page.getByRole('menu').waitFor()
    },
    ['menu.pause', 'topics.archive', 'topics.keepFresh'],
  )
  const chosen = (key: string) =>
    then(
      menu,
      key,
      async (page, t) => {
        await page.getByRole('menuitem', { name: t(key) }).click()
        await dialog(page)
      },
      ['replan.do', 'topics.save'],
    )
  return [
    then(
      lesson,
      'more to do',
      async (page, t) => {
        const question = page.getByTestId('question')
        await question.getByRole('button', { name: t('action.more') }).click()
        await page.getByRole('menu').waitFor()
      },
      SAID,
    ),
    menu,
    ...['topics.rename', 'menu.replan', 'menu.shortcuts', 'menu.abandon'].map(chosen),
  ]
}

/** The mind map, the list, and a concept's card. */
export function mapScreens(arcs: Arcs): Screen[] {
  const region = (page: Page, t: TFunction) => page.getByRole('region', { name: t('map.title') })
  const left = [...SAID, HINT]
  const map = then(
    topic(arcs, 'review'),
    'map',
    async (page, t) => {
      const tab = page.getByText(t('arc.map'), { exact: true })
      if (await tab.isVisible()) await tab.click()
      await region(page, t).locator('[data-concept]').first().waitFor()
    },
    left,
  )
  const list = then(
    map,
    'list',
    async (page, t) => {
      await region(page, t).getByText(t('map.list'), { exact: true }).click()
      await region(page, t).getByRole('listitem').first().waitFor()
    },
    left,
  )
  return [
    map,
    then(map, 'large', async (page, t) => {
      await button(page, t('map.enlarge')).click()
      await dialog(page)
      await page.waitForTimeout(400)
    }),
    list,
    then(
      list,
      'a concept',
      async (page, t) => {
        await region(page, t).getByRole('listitem').getByRole('button').first().click()
        await dialog(page)
      },
      ['teach', 'explain', 'practice', 'know_this', 'skip_concept', 'again', 'bringBack'].map(
        (name) => `concept.${name}`,
      ),
    ),
  ]
}

/** Threads of the course tutor by what they stand at, and the address of a practice session. */
export interface Talks {
  drill: string
  exam: string
  practice: string
}

export function tutorScreens(talks: Talks): Screen[] {
  const said = [
    'card.tryDrill',
    'card.stuck',
    'card.check',
    'card.continue',
    'card.another',
    'card.submit',
    'composer.send',
  ]
  const drill = at(
    'course tutor, drill',
    () => `/tutor/${talks.drill}?debug`,
    (page) => page.getByTestId('drill-card').last().waitFor(),
    said,
  )
  return [
    at('course tutor', '/tutor', (page, t) => page.getByText(t('tutor.start')).waitFor(), [
      'tutor.start',
    ]),
    drill,
    then(drill, 'debug', async (page, t) => {
      await button(page, t('debug.open')).click()
      await dialog(page)
    }),
    at(
      'course tutor, exam',
      () => `/tutor/${talks.exam}`,
      (page) => page.getByTestId('exam-card').last().waitFor(),
      said,
    ),
    at(
      'practice',
      () => talks.practice,
      (page, t) => button(page, t('practice.stuck')).waitFor(),
      [...['practice.stuck', 'action.skip', 'practice.end', 'composer.send']],
    ),
  ]
}

/** What stands on the teacher's desk, by id. */
export interface Desk {
  classId: string
  emptyClassId: string
  pupil: string
  session: string
}

export function deskScreens(desk: Desk): Screen[] {
  const teaching = at(
    'teaching',
    '/teaching',
    (page, t) => button(page, t('desk.newClass')).waitFor(),
    ['teacher.acknowledge'],
  )
  const group = at(
    'class',
    () => `/teaching/classes/${desk.classId}`,
    (page, t) => button(page, t('desk.changeClass')).waitFor(),
  )
  const pupil = at(
    'pupil',
    () => `/teaching/pupils/${desk.pupil}`,
    (page, t) => button(page, t('desk.give')).waitFor(),
  )
  const press = (key: string) => async (page: Page, t: TFunction) => {
    await button(page, t(key)).click()
    await dialog(page)
  }
  const set = at('new set', '/teaching/sets/new', (page) => heading(page))
  const operating = at('operating', '/operating', async (page) => {
    await page.getByRole('table').first().waitFor()
  })
  const menu = then(operating, 'menu of a topic', async (page) => {
    await page.getByRole('row').getByRole('button').first().click()
    await page.getByRole('menu').waitFor()
  })
  return [
    teaching,
    then(teaching, 'new class', press('desk.newClass')),
    group,
    then(group, 'giving', press('desk.give')),
    then(group, 'changing', press('desk.changeClass')),
    then(group, 'removing', press('desk.removeClass'), ['desk.removeClass']),
    at(
      'empty class',
      () => `/teaching/classes/${desk.emptyClassId}`,
      (page, t) => button(page, t('desk.fillClass')).waitFor(),
    ),
    pupil,
    then(pupil, 'what was said', (page, t) => button(page, t('desk.showSaid')).click()),
    at(
      'session',
      () => `/teaching/sessions/${desk.session}`,
      (page) => heading(page),
      ['report.resend'],
    ),
    set,
    then(set, 'with a line that is wrong', async (page, t) => {
      await page.getByRole('textbox').last().fill('What is -3 + 5?;2;Count up.\nWhat is -7 + 3?')
      await page.getByText(t('desk.line', { line: 2 })).waitFor()
    }),
    operating,
    menu,
    then(menu, 'closing', async (page, t) => {
      await page.getByRole('menuitem', { name: t('operator.abandon') }).click()
      await dialog(page)
    }),
  ]
}
