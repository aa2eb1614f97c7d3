/** What an agenda is told; what has changed it reads by itself. */
export type AgendaInput =
  /** The earliest review of an arc has moved, or an arc asks for reviews no more, or again. */
  | 'reviews-changed'
  /** The learner has written, while a nudge was out or after a long absence. */
  | 'seen'
  /** Settings of the learner, or their channels, have changed. */
  | 'settings'
  | 'snooze'
