import { TestWorkflowEnvironment } from '@temporalio/testing'
import { expect, inject, test } from 'vitest'

test('the time-skipping server runs and skips time', async () => {
  const environment = await TestWorkflowEnvironment.createTimeSkipping({
    server: { executable: { type: 'existing-path', path: inject('testServerPath') } },
  })
  try {
    const before = await environment.currentTimeMs()
    await environment.sleep('400 days')
    expect(await environment.currentTimeMs()).toBeGreaterThanOrEqual(before + 400 * 86_400_000)
  } finally {
    await environment.teardown()
  }
})
