import { callApi } from '../api/client.ts'

/** Whether this browser can be told something while no page is open. */
export const canPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis

/**
 * Asks the browser for a subscription that this server may send to.
 * @throws Error where the learner or the browser says no, or no service worker is there
 */
export async function subscribe(): Promise<PushSubscriptionJSON> {
  const registration = await navigator.serviceWorker.getRegistration()
  if (!registration) throw new Error('This browser keeps nothing of Meno yet; load the page again.')
  const { key } = await callApi<{ key: string }>('/push-key')
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: key,
  })
  return subscription.toJSON()
}
