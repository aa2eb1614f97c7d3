import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import en from './en.json'

/** The languages of the page; a further one is one more file here. */
export const LANGUAGES = ['en', 'de'] as const
export type Language = (typeof LANGUAGES)[number]

/** Of the languages asked for, in order of preference, the first that the page speaks. */
export function firstSpoken(tags: readonly string[]): Language {
  const asked = tags.map((tag) => tag.toLowerCase().split('-')[0])
  return asked.flatMap((tag) => LANGUAGES.find((language) => language === tag) ?? [])[0] ?? 'en'
}

void i18next.use(initReactI18next).init({
  resources: { en: { translation: en } },
  lng: 'en',
  fallbackLng: 'en',
  interpolation: { escapeValue: false },
})

/** Has the page speak a language; what is not loaded yet is loaded first. */
export async function speak(language: Language): Promise<void> {
  if (language === 'de' && !i18next.hasResourceBundle('de', 'translation')) {
    i18next.addResourceBundle('de', 'translation', (await import('./de.json')).default)
  }
  await i18next.changeLanguage(language)
  document.documentElement.lang = language
}
