import { type Language, useLanguage } from './language.ts'

/** How numbers and moments are written in a language. */
function makeFormats(language: Language) {
  const number = new Intl.NumberFormat(language)
  const percent = new Intl.NumberFormat(language, { style: 'percent', maximumFractionDigits: 1 })
  const moment = new Intl.DateTimeFormat(language, {
    dateStyle: 'medium',
    timeStyle: 'medium',
    hour12: false,
  })
  const day = new Intl.DateTimeFormat(language, { dateStyle: 'medium' })
  const time = new Intl.DateTimeFormat(language, { timeStyle: 'medium', hour12: false })
  const written = (format: Intl.DateTimeFormat, text: string | null | undefined) =>
    text ? format.format(new Date(text)) : '–'
  return {
    number: (value: number) => number.format(value),
    /** A share from 0 to 1. */
    percent: (share: number) => percent.format(share),
    /** The percent sign as it follows a number: Spanish puts a space before it, English and Portuguese none. */
    percentSuffix: percent
      .formatToParts(0)
      .filter(({ type }) => type !== 'integer')
      .map(({ value }) => value)
      .join(''),
    /** A moment as the interface writes it, to the second; a dash for none. */
    moment: (text: string | null | undefined) => written(moment, text),
    day: (text: string | null | undefined) => written(day, text),
    time: (text: string | null | undefined) => written(time, text),
    duration: (ms: number) =>
      ms < 1_000 ? `${number.format(ms)} ms` : `${number.format(Math.round(ms / 100) / 10)} s`,
  }
}

export function useFormats() {
  return makeFormats(useLanguage())
}
