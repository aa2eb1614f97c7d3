const CONFIGS: Record<string, string> = {
  da: 'danish',
  de: 'german',
  en: 'english',
  es: 'spanish',
  fi: 'finnish',
  fr: 'french',
  it: 'italian',
  nl: 'dutch',
  no: 'norwegian',
  pt: 'portuguese',
  sv: 'swedish',
}

/** PostgreSQL's text search configuration for a language (ISO 639-1); `simple` where it has none. */
export function searchConfig(language: string): string {
  return CONFIGS[language.slice(0, 2).toLowerCase()] ?? 'simple'
}
