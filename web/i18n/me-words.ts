import i18next from 'i18next'
import words from './en-me.json'

// What a learner's own page and settings alone say comes with them.
i18next.addResourceBundle('en', 'translation', words, true)
