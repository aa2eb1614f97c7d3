/** Stands for the formula of a drill whose question is all words and has none of its own. */
export const ANSWER_BLANK = '\\text{Your answer?}'
