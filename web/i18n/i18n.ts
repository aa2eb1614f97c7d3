import i18next from 'i18next'
import { initReactI18next } from 'react-i18next'
import en from './en.json'

/** The catalogue of words; a further language is one more file here. */
void i18next.use(initReactI18next).init({
  resources: { en: { translation: en } },
  lng: 'en',
  fallbackLng: 'en',
  interpolation: { escapeValue: false },
})
