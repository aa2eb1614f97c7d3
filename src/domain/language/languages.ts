/** The languages that the tutor's own words exist in. */
export const LANGUAGES = ['en', 'de'] as const
export type Language = (typeof LANGUAGES)[number]

/** The one of the tutor's languages that a language tag such as "de-AT" names; English for all others. */
export function languageOfTag(tag: string): Language {
  const [primary] = tag.toLowerCase().split('-')
  return LANGUAGES.find((language) => language === primary) ?? 'en'
}
