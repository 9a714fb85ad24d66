import type { FrameOptions } from '../frames.ts'
import { readAddress } from '../service.ts'

/** What sites give to the functions of the widget. */
export interface Given {
  readonly url?: string
  readonly prefill?: Readonly<Record<string, unknown>> | undefined
  readonly utm?: Readonly<Record<string, unknown>> | undefined
  readonly pageSettings?: Readonly<Record<string, unknown>> | undefined
}

/** What the page needs for its first paint; everything else in the address is an answer, and goes by message. */
const IN_ADDRESS = /^(?:hide_\w+|\w+_color|month|date|duration|slot|token|link|routing)$/

/** The page that an address of Calendly, or of this service, means here. */
export function optionsFor(base: string, type: string, given: Given): FrameOptions {
  const { link, query: own } = readAddress(base, given.url ?? '')
  const query: Record<string, string> = { embed_domain: location.hostname || '1', embed_type: type }
  const prefill: Record<string, string | readonly string[]> = {}
  const utm: Record<string, string> = {}
  const put = (key: string, value: unknown) => {
    if (value === undefined || value === null || value === '' || value === false) return
    if (key.startsWith('utm_')) utm[key.slice(4)] = String(value)
    else if (IN_ADDRESS.test(key)) query[key] = value === true ? '1' : String(value).replace(/^#/, '')
    else prefill[key] = Array.isArray(value) ? value.map(String) : String(value)
  }
  for (const [key, value] of own) put(key, value)
  const { customAnswers, date, ...fields } = given.prefill ?? {}
  for (const [key, value] of Object.entries({ ...fields, ...Object(customAnswers) })) put(snake(key), value)
  put('date', date instanceof Date ? dayOf(date) : date)
  for (const group of [given.utm, given.pageSettings]) {
    for (const [key, value] of Object.entries(group ?? {})) put(snake(key), value)
  }
  return { link, query, prefill, utm }
}

/** The page's own names: `firstName` is `first_name` there, and `a1` stays. */
const snake = (key: string) => key.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)

const dayOf = (date: Date) =>
  [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => String(part).padStart(2, '0'))
    .join('-')
