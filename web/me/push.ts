import { callApi } from '../api/client.ts'

/** Whether this browser can be told something while no page is open. */
export const canPush = (): boolean =>
  'serviceWorker' in navigator && 'PushManager' in globalThis && 'Notification' in globalThis

/**
 * Asks the learner and the browser for a subscription that this server may send to.
 * @returns null where they say no
 * @throws Error where the browser keeps no service worker, or cannot reach who delivers; `Problem` where the server has no key
 */
export async function subscribe(): Promise<PushSubscriptionJSON | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null
  const registration = await navigator.serviceWorker.getRegistration()
  if (!registration) throw new Error('This browser keeps nothing of Meno yet; load the page again.')
  const { key } = await callApi<{ key: string }>('/push-key')
  const options = { userVisibleOnly: true, applicationServerKey: key }
  try {
    return (await registration.pushManager.subscribe(options)).toJSON()
  } catch (error) {
    // A subscription to an earlier key of this address stands in the way.
    const old = await registration.pushManager.getSubscription()
    if (!old) throw error
    await old.unsubscribe()
    return (await registration.pushManager.subscribe(options)).toJSON()
  }
}
