import type { Browser } from '@playwright/test'
import { expect, it } from 'vitest'
import { sharedChromium } from './browser-page.ts'
import { type PreparedWorld, startPreparedWorld } from './prepared-world.ts'
import { lookAt, pressAll, type Screen } from './screen-checks.ts'

/** A world whose screens are tried, and the browser that they are tried in. */
export interface Opened {
  world: PreparedWorld
  browser: Browser
}

/** Starts both; whoever opened a world removes it. */
export async function openWorld(): Promise<Opened> {
  const [world, browser] = await Promise.all([startPreparedWorld(), sharedChromium()])
  return { world, browser }
}

/** Each screen is looked at in every size and theme, and every control of it is pressed; what was pressed on one is not again. */
export function tryScreens(opened: () => Opened, screens: readonly Screen[]): void {
  const pressed = new Set<string>()

  it.each(screens)('$name, is in order, wide and narrow, light and dark', async (screen) => {
    const { world, browser } = opened()
    for (const view of ['desk', 'phone'] as const) {
      const found = await lookAt(browser, world.meno.url(), screen, view)
      expect(found, `${view}: ${JSON.stringify(found, null, 1)}`).toEqual({})
    }
  })

  it.each(screens)('$name: every control does something, and breaks nothing', async (screen) => {
    const { world, browser } = opened()
    const found = await pressAll(browser, world.meno.url(), screen, pressed)
    expect(found, found.join('\n')).toEqual([])
  })
}
