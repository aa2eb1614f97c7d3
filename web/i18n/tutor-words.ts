import i18next from 'i18next'
import words from './en-tutor.json'

// What the course tutor alone says comes with it.
i18next.addResourceBundle('en', 'translation', words, true)
