import i18next from 'i18next'
import words from './en-desks.json'

// What the desks alone say comes with them: a learner's first visit does not carry it.
i18next.addResourceBundle('en', 'translation', words, true)
