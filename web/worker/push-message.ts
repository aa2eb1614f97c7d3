/** What a push service brings: the words of a notice, where it leads, and what it replaces. */
export interface PushMessage {
  title: string
  body?: string
  /** An address of this origin. */
  url?: string
  /** A later notice of the same tag takes the place of this one. */
  tag?: string
  id?: string
}

/** A push message as the browser shows it; one that cannot be read is still a sign that Meno has something to say. */
export function notificationOf(text: string): { title: string; options: NotificationOptions } {
  const { title = 'Meno', body, url = '/', tag, id } = readPush(text)
  return {
    title,
    options: {
      ...(body === undefined ? {} : { body }),
      ...(tag === undefined ? {} : { tag }),
      icon: '/icon-192.png',
      badge: '/badge-96.png',
      data: { url, id },
    },
  }
}

function readPush(text: string): Partial<PushMessage> {
  try {
    const read: unknown = JSON.parse(text)
    return typeof read === 'object' && read !== null ? read : {}
  } catch {
    return {}
  }
}
