import { Problem } from '../problem.ts'
import { type Sentence, sentence } from '../sentence.ts'

/** The origins whose pages may show a page of ours in a frame. */
export type Framers = readonly string[] | 'everyone'

interface Framed {
  /** Empty: all. */
  readonly allowedOrigins: readonly string[]
}

const MAX_ORIGINS = 50

// Stricter than URLs: these go into a header, where a semicolon would start a new directive.
const ORIGIN = /^https?:\/\/(?:[a-z0-9-]+(?:\.[a-z0-9-]+)*|\[[0-9a-f:]+\])(?::\d{1,5})?$/
const LOOPBACK = /^http:\/\/(?:(?:[a-z0-9-]+\.)*localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/

/** Throws `invalid` with the reason unless these are distinct origins in the browser's spelling. */
export function checkAllowedOrigins(origins: readonly string[]): void {
  const refuse = (reason: Sentence, field = 'allowedOrigins') => {
    throw new Problem('invalid', reason, { field })
  }
  if (origins.length > MAX_ORIGINS) refuse(sentence`There can be at most ${MAX_ORIGINS} sites.`)
  for (const [index, text] of origins.entries()) {
    const field = `allowedOrigins.${index}`
    const { origin = '' } = URL.parse(text) ?? {}
    if (!ORIGIN.test(origin))
      refuse(sentence`"${text}" is not a site such as https://www.example.com.`, field)
    if (origin !== text) refuse(sentence`Write "${text}" as ${origin}.`, field)
    if (!text.startsWith('https:') && !LOOPBACK.test(text)) {
      refuse(sentence`"${text}" must begin with https://. Only this machine itself can use http://.`, field)
    }
    if (origins.indexOf(text) < index) refuse(sentence`"${text}" is listed twice.`, field)
  }
}

/**
 * The origins that may frame a page that leads to all of these event types.
 *
 * The event type opens in the same frame, so an origin must be allowed by all of them.
 */
export function framersOf(eventTypes: readonly Framed[]): Framers {
  const lists = eventTypes.map(({ allowedOrigins }) => allowedOrigins).filter(({ length }) => length > 0)
  const [first, ...others] = lists
  if (first === undefined) return 'everyone'
  return first.filter((origin) => others.every((list) => list.includes(origin)))
}
