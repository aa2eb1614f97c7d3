import { type Language, languageOfTag } from '../language/languages.ts'
import { writtenLanguage } from '../language/written-language.ts'
import type { LoadedCourse } from './state.ts'

type Spoken = Pick<LoadedCourse, 'language' | 'state' | 'course'>

/** As set, else as the student writes or has written, else as their arc of the course speaks, else as the course does; as a tag. */
export const spokenTag = ({ language, state, course }: Spoken, said = ''): string =>
  language?.set ?? writtenLanguage(said) ?? state.language ?? language?.spoken ?? course.language

/** The language of the tutor's own words. */
export const spokenIn = (loaded: Spoken, said = ''): Language =>
  languageOfTag(spokenTag(loaded, said))
