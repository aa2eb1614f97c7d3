import { callApi } from '../api/client.ts'

/** What stands in the way of notifications on this device. */
export type PushObstacle = 'unsupported' | 'denied'

/** Whether this browser can be sent notifications, and the learner has not said no to it. */
export function pushObstacle(): PushObstacle | null {
  const isSupported =
    'serviceWorker' in navigator && 'PushManager' in window && 'Notification' in window
  if (!isSupported) return 'unsupported'
  return Notification.permission === 'denied' ? 'denied' : null
}

/**
 * Asks the learner and the browser for notifications on this device: the subscription as `POST …/channels/push` takes it,
 * null where the learner says no. Throws where the browser cannot, and `Problem` where the server has no key.
 */
export async function subscribeToPush(): Promise<PushSubscriptionJSON | null> {
  if ((await Notification.requestPermission()) !== 'granted') return null
  const { key } = await callApi<{ key: string }>('/push-key')
  const registration = await navigator.serviceWorker.ready
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

/** The subscription of this device, null where it has none. */
export async function pushSubscription(): Promise<PushSubscriptionJSON | null> {
  if (pushObstacle() === 'unsupported') return null
  const registration = await navigator.serviceWorker.getRegistration()
  return (await registration?.pushManager.getSubscription())?.toJSON() ?? null
}
