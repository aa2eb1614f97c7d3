/** What an answer to a drill or an exam counts in an arc, 0 to 5: right 5, or 3 with help; wrong 1. */
export const sideQuality = (isCorrect: boolean, hinted: boolean): number =>
  isCorrect ? (hinted ? 3 : 5) : 1
