/** The key under which a model step of a turn is kept: the same message never pays for the same step twice. */
export const stepKey = (sessionId: string, messageId: string, kind: 'verdict' | 'reply'): string =>
  `practice/${sessionId}/${messageId}/${kind}`
